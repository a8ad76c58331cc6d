import { Ajv, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

type Schema = Readonly<Record<string, unknown>>
type Draft = 'draft-07' | '2020-12'

const options = {
  allErrors: true,
  verbose: true,
  strict: false,
  ownProperties: true,
  validateFormats: true,
  logger: false,
} as const

/**
 * Compiles a tool's schema with an Ajv of its own, which goes when the check goes (architecture 3): draft-07 where
 * `$schema` says so, or where only draft-07 understands it; else 2020-12. Throws what Ajv throws at a schema that
 * cannot be compiled; that it is a valid one is {@link judgeSchema}'s question, which costs ten times as much.
 * Nothing is fetched: there is no loader.
 */
export function compileSchema(schema: Schema): ValidateFunction {
  return firstThatFits(schema, (draft, body) => {
    const ajv = createAjv(draft, { ...options, meta: false, validateSchema: false })
    // The plain forms of the formats: their patterns cannot freeze.
    addFormats.default(ajv, { mode: 'fast' })
    return ajv.compile(body)
  })
}

/**
 * Judges a schema against the schema of its draft: answers what is wrong, or undefined. Keeps nothing of it; what it
 * keeps are the drafts' own validators, which take long to make.
 */
export const judgeSchema = createSchemaJudge()

function createSchemaJudge(): (schema: Schema) => string | undefined {
  const judges = new Map<Draft, Ajv>()
  const judgeOf = (draft: Draft): Ajv => {
    const judge = judges.get(draft) ?? createAjv(draft, { strict: false, logger: false })
    judges.set(draft, judge)
    return judge
  }
  return (schema) => {
    try {
      firstThatFits(schema, (draft, body) => {
        const judge = judgeOf(draft)
        if (judge.validateSchema(body) !== true)
          throw new Error(judge.errorsText(judge.errors, { dataVar: '' }))
      })
      return undefined
    } catch (thrown) {
      return thrown instanceof Error ? thrown.message : String(thrown)
    }
  }
}

/** Tries the drafts that a schema may be of; what the first of them throws is thrown when none fits. */
function firstThatFits<Value>(
  { $schema, ...body }: Schema,
  run: (draft: Draft, body: Schema) => Value,
): Value {
  if (typeof $schema === 'string') return run(/draft-0[467]/.test($schema) ? 'draft-07' : '2020-12', body)
  try {
    return run('2020-12', body)
  } catch (thrown) {
    return orThrow(thrown, () => run('draft-07', body))
  }
}

function orThrow<Value>(fault: unknown, run: () => Value): Value {
  try {
    return run()
  } catch {
    throw fault
  }
}

function createAjv(draft: Draft, settings: ConstructorParameters<typeof Ajv>[0]): Ajv {
  return draft === 'draft-07' ? new Ajv(settings) : new Ajv2020(settings)
}
