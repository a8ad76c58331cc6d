import { isRecord } from '../sdk/index.ts'
import { declaredOf } from './declared.ts'
import { errorAt, type Finding, type Path } from './finding.ts'
import { isPlainSchema } from './plain-schema.ts'
import { subschemas } from './subschemas.ts'

const drafts = /^https?:\/\/json-schema\.org\/(draft-07\/schema#?|draft\/2020-12\/schema#?)$/
const references = ['$ref', '$dynamicRef', '$recursiveRef']

type Schema = Readonly<Record<string, unknown>>

/** Looks into the `parameters` of every tool (MAN-8): loads Ajv. */
export async function checkAllParameters(manifest: unknown): Promise<Finding[]> {
  const schemas = declaredOf(manifest, 'tools').flatMap(({ path, value }) =>
    isRecord(value.parameters) ? [{ schema: value.parameters, path: [...path, 'parameters'] }] : [],
  )
  const findings = await Promise.all(schemas.map(({ schema, path }) => checkParametersSchema(schema, path)))
  return findings.flat()
}

/**
 * Whether a schema can be a tool's parameters: 2020-12 or draft-07, an object at the top, valid, and complete in
 * itself. Nothing is fetched and no file is read (MAN-8).
 */
export async function checkParametersSchema(schema: Schema, path: Path = []): Promise<Finding[]> {
  const { type } = schema
  if (type !== undefined && type !== 'object') {
    const message = 'arguments are always an object'
    return [errorAt('AMB2210', [...path, 'type'], { message, hint: 'write "type": "object"' })]
  }
  if (isPlainSchema(schema)) return []
  const findings = [...checkDraft(schema, path), ...checkReferences(schema, path)]
  return findings.length > 0 ? findings : compileFault(schema, path)
}

function checkDraft(schema: Schema, path: Path): Finding[] {
  const { $schema } = schema
  if ($schema === undefined || (typeof $schema === 'string' && drafts.test($schema))) return []
  const message = `${JSON.stringify($schema)} is no version of JSON Schema that parameters may have`
  const hint =
    'write for 2020-12 (https://json-schema.org/draft/2020-12/schema) or draft-07, or leave "$schema" out'
  return [errorAt('AMB2210', [...path, '$schema'], { message, hint })]
}

function checkReferences(schema: Schema, path: Path): Finding[] {
  return [...subschemas(schema)].flatMap((one) =>
    references.flatMap((key) => {
      const target = one.schema[key]
      if (typeof target !== 'string' || target.startsWith('#')) return []
      const message = `the reference ${JSON.stringify(target)} leaves the schema`
      const hint = 'nothing else is read: put what it names under "$defs" and write "#/$defs/NAME"'
      return [errorAt('AMB2211', [...path, ...one.path, key], { message, hint })]
    }),
  )
}

async function compileFault(schema: Schema, path: Path): Promise<Finding[]> {
  const [{ compileSchema, judgeSchema }, { runBounded }] = await Promise.all([
    import('./compile-schema.ts'),
    import('./bounded.ts'),
  ])
  const patterns = patternFaults(schema, path)
  if (patterns.length > 0) return patterns
  const why = judgeSchema(schema)
  if (why !== undefined) return [fault(path, why)]
  try {
    return runBounded(() => compileSchema(schema), 2000).ok
      ? []
      : [fault(path, 'it takes too long to compile')]
  } catch (thrown) {
    return [fault(path, thrown instanceof Error ? thrown.message : String(thrown))]
  }
}

function fault(path: Path, why: string): Finding {
  const message = `not a valid JSON Schema: ${why.replaceAll(/(^|, )\//g, '$1')}`
  return errorAt('AMB2210', path, { message, hint: 'see https://json-schema.org/understanding-json-schema' })
}

/** The patterns that are none, at their own places. */
function patternFaults(schema: Schema, path: Path): Finding[] {
  return [...subschemas(schema)].flatMap((one) => {
    const { pattern } = one.schema
    const why = typeof pattern === 'string' ? patternFault(pattern) : undefined
    return why === undefined ? [] : [errorAt('AMB2210', [...path, ...one.path, 'pattern'], { message: why })]
  })
}

function patternFault(pattern: string): string | undefined {
  try {
    new RegExp(pattern, 'u')
    return undefined
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown)
  }
}
