import { Ajv, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

/**
 * Compiles a tool's schema with an Ajv of its own, which goes when the check goes (architecture 3): draft-07 where
 * `$schema` says so, or where only draft-07 understands it; else 2020-12. Throws what Ajv throws at a schema that is
 * none. Nothing is fetched: there is no loader.
 */
export function compileSchema(schema: Readonly<Record<string, unknown>>): ValidateFunction {
  const { $schema, ...body } = schema
  if (typeof $schema === 'string' && /draft-0[467]/.test($schema)) return compileWith('draft-07', body)
  try {
    return compileWith('2020-12', body)
  } catch (thrown) {
    if ($schema !== undefined) throw thrown
    return compileDraft07(body, thrown)
  }
}

function compileDraft07(body: Readonly<Record<string, unknown>>, fault: unknown): ValidateFunction {
  try {
    return compileWith('draft-07', body)
  } catch {
    throw fault
  }
}

const options = {
  allErrors: true,
  verbose: true,
  strict: false,
  ownProperties: true,
  validateFormats: true,
  logger: false,
} as const

function compileWith(
  draft: 'draft-07' | '2020-12',
  body: Readonly<Record<string, unknown>>,
): ValidateFunction {
  const ajv = draft === 'draft-07' ? new Ajv(options) : new Ajv2020(options)
  // The plain forms of the formats: their patterns cannot freeze.
  addFormats.default(ajv, { mode: 'fast' })
  return ajv.compile(body)
}
