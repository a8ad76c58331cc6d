import type { ErrorObject } from 'ajv'
import { errorAt, type Finding, type Path, pathOfPointer, valueAt } from './finding.ts'
import { didYouMean, nearest } from './nearest.ts'

/** What the errors of a validator are about. */
export interface SchemaContext {
  readonly data: unknown
  /** The part of the schema that an error comes from (Ajv's `parentSchema`). */
  readonly partOf: (error: ErrorObject) => unknown
  /** Who may say the keys of an object: `a tool`, `a manifest`. */
  readonly nounOf?: (path: Path) => string
}

interface SchemaFinding extends Finding {
  /** The key that is not there. */
  readonly missing?: string
}

/** Puts all errors of a validator into words (MAN-1): what is expected, the nearest legal key or value, the legal ones. */
export function schemaFindings(errors: readonly ErrorObject[], context: SchemaContext): Finding[] {
  const findings = withoutBranches(errors).flatMap((error) => {
    const path = pathOfPointer(error.instancePath, context.data)
    const finding = explain(error, path, context)
    return finding === undefined ? [] : [finding]
  })
  return withoutEchoes(findings)
}

/** Of an `anyOf` nobody fits, the errors of its branches at the same place would only be noise. */
function withoutBranches(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')
  return errors.filter(
    (error) =>
      !unions.some(
        (union) =>
          union !== error &&
          union.instancePath === error.instancePath &&
          error.schemaPath.startsWith(`${union.schemaPath}/`),
      ),
  )
}

/** A misspelt key is one mistake: the key that is missing because of it is not told as a second one. */
function withoutEchoes(findings: readonly SchemaFinding[]): Finding[] {
  const unknown = findings.filter(({ code }) => code === 'AMB2104')
  return findings.filter(
    ({ path, missing }) =>
      missing === undefined ||
      !unknown.some((one) => samePath(one.path, path) && nearest(one.key ?? '', [missing]) !== undefined),
  )
}

function samePath(a: Path, b: Path): boolean {
  return a.length === b.length && a.every((step, index) => step === b[index])
}

function explain(error: ErrorObject, path: Path, context: SchemaContext): SchemaFinding | undefined {
  const part = recordOf(context.partOf(error))
  const value = valueAt(context.data, path)
  const { keyword } = error
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') {
    return unknownKey(error, path, context)
  }
  if (keyword === 'required') return missingKey(error, path, part)
  if (keyword === 'propertyNames' || keyword === 'if') return undefined
  if (error.propertyName !== undefined) {
    const message = `the key ${show(error.propertyName)} ${formOf(part)}`
    return errorAt('AMB2105', path, { message, key: error.propertyName })
  }
  if (keyword === 'type') {
    return errorAt('AMB2101', path, {
      message: `must be ${typesOf(error)}, not ${kindOf(value)}`,
      ...describe(part),
    })
  }
  if (keyword === 'enum' || keyword === 'const') return illegalValue(error, path, value)
  if (keyword === 'pattern' || keyword === 'format') {
    const form = keyword === 'format' ? `must be of the form ${show(error.params.format)}` : formOf(part)
    return errorAt('AMB2105', path, { message: `${show(value)} ${form}` })
  }
  if (keyword === 'uniqueItems') return twice(error, path, value)
  return errorAt('AMB2106', path, { message: boundOf(error, value), ...describe(part) })
}

function unknownKey(error: ErrorObject, path: Path, context: SchemaContext): Finding {
  const key = String(error.params.additionalProperty ?? error.params.unevaluatedProperty)
  const legal = legalKeys(context.partOf(error))
  const noun = context.nounOf?.(path) ?? 'this'
  const hint = legal.length === 0 ? `${noun} may say nothing here` : `${noun} may say: ${legal.join(', ')}`
  return errorAt('AMB2104', path, { message: `unknown key ${show(key)}${didYouMean(key, legal)}`, hint, key })
}

function legalKeys(part: unknown): readonly string[] {
  return Object.keys(recordOf(recordOf(part).properties)).filter((key) => key !== '$schema')
}

function missingKey(error: ErrorObject, path: Path, part: Record<string, unknown>): SchemaFinding {
  const missing = String(error.params.missingProperty)
  const finding = errorAt('AMB2102', path, {
    message: `the key ${show(missing)} is missing`,
    ...describe(recordOf(recordOf(part.properties)[missing]), missing),
  })
  return { ...finding, missing }
}

function illegalValue(error: ErrorObject, path: Path, value: unknown): Finding {
  const legal: readonly unknown[] = Array.isArray(error.params.allowedValues)
    ? error.params.allowedValues
    : [error.params.allowedValue]
  const words = legal.filter((one) => typeof one === 'string')
  const near = typeof value === 'string' ? didYouMean(value, words) : ''
  const list = legal.slice(0, 50).map((one) => (typeof one === 'string' ? one : show(one)))
  return errorAt('AMB2103', path, {
    message: `${show(value)} is not legal here${near}`,
    hint: `legal: ${list.join(', ')}${legal.length > 50 ? ', …' : ''}`,
  })
}

function twice(error: ErrorObject, path: Path, value: unknown): Finding {
  const later = Math.max(Number(error.params.i), Number(error.params.j))
  const item = Array.isArray(value) ? value[later] : undefined
  return errorAt('AMB2107', [...path, later], { message: `${show(item)} stands twice in this list` })
}

/** What the schema says of a value, as a hint. */
function describe(part: Record<string, unknown>, name?: string): { hint?: string } {
  if (typeof part.description !== 'string') return {}
  return { hint: name === undefined ? part.description : `${name}: ${part.description}` }
}

function formOf(part: Record<string, unknown>): string {
  if (typeof part.patternErrorMessage === 'string') return part.patternErrorMessage
  return `must match /${String(part.pattern)}/`
}

function boundOf(error: ErrorObject, value: unknown): string {
  const { params, keyword } = error
  const limit = Number(params.limit)
  if (keyword === 'minLength' || keyword === 'minItems') {
    if (limit === 1) return 'must not be empty'
    return `must have at least ${limit} ${keyword === 'minLength' ? 'characters' : 'entries'}`
  }
  if (keyword === 'maxLength') return `must have ${limit} characters at most`
  if (keyword === 'maxItems') return `must have ${limit} entries at most`
  if (keyword === 'minimum') return `must be at least ${limit}, not ${show(value)}`
  if (keyword === 'maximum') return `must be at most ${limit}, not ${show(value)}`
  if (keyword === 'anyOf' || keyword === 'oneOf') return 'fits none of the forms that are allowed here'
  return error.message ?? `breaks the rule ${keyword}`
}

function typesOf(error: ErrorObject): string {
  const types: readonly unknown[] = [error.params.type].flat()
  return types.map((type) => withArticle(type === 'array' ? 'list' : String(type))).join(' or ')
}

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  const type = typeof value
  return type === 'object' ? 'an object' : `the ${type} ${show(value)}`
}

/** `a tool`, `an integer`; null stands alone. */
export function withArticle(noun: string): string {
  if (noun === 'null') return noun
  return /^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`
}

/** A value in a message: as JSON, cut to a length that fits a line. */
function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}
