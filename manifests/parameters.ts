import type { ErrorObject, ValidateFunction } from 'ajv'
import { isRecord } from '../sdk/index.ts'
import { type Finding, pathOfPointer, pathText, valueAt } from './finding.ts'
import { subschemas } from './subschemas.ts'

/** Arguments as validated, or what the model should mend. */
export type ParameterResult =
  | { readonly ok: true; readonly args: unknown }
  | { readonly ok: false; readonly message: string }

/** Checks the arguments of one tool. */
export interface ParameterCheck {
  /** Never throws, never changes what it is given, ends within a second. */
  check(args: unknown): ParameterResult
}

/** A pattern or a knot of references that has not answered by then is stopped. */
const deadlineMs = 500

/**
 * Makes the check of a tool's arguments from its schema (contract TOOL-4). The one coercion is a string that is a
 * number where a number is wanted, at any depth. A schema that is none refuses all arguments, saying so.
 */
export async function compileParameters(schema: Readonly<Record<string, unknown>>): Promise<ParameterCheck> {
  const [{ compileSchema }, { runBounded }, { schemaFindings }] = await Promise.all([
    import('./compile-schema.ts'),
    import('./bounded.ts'),
    import('./schema-findings.ts'),
  ])
  const bounded = needsBound(schema)
  const compiled = compile(() =>
    bounded
      ? runBounded(() => compileSchema(schema), 4 * deadlineMs)
      : { ok: true, value: compileSchema(schema) },
  )
  if (typeof compiled === 'string') return { check: () => ({ ok: false, message: compiled }) }
  const run = bounded
    ? (args: unknown) => runBounded(() => validate(compiled, args), deadlineMs)
    : (args: unknown) => ({ ok: true, value: validate(compiled, args) }) as const
  const explain = (args: unknown, errors: readonly ErrorObject[]) =>
    schemaFindings(errors, { data: args, partOf: (error) => error.parentSchema })
  return { check: (args) => check(args, run, explain) }
}

type Compiled = { readonly ok: true; readonly value: ValidateFunction } | { readonly ok: false }

function compile(run: () => Compiled): ValidateFunction | string {
  try {
    const compiled = run()
    return compiled.ok
      ? compiled.value
      : 'The tool cannot be called: its parameters take too long to compile.'
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown)
    return `The tool cannot be called: its parameters are not a valid JSON Schema (${why}).`
  }
}

/** Whether validation may take longer than its input is long. */
function needsBound(schema: unknown): boolean {
  const risky = [
    'pattern',
    'patternProperties',
    '$ref',
    '$dynamicRef',
    '$recursiveRef',
    'uniqueItems',
    'format',
  ]
  for (const { schema: one } of subschemas(schema)) if (risky.some((key) => key in one)) return true
  return false
}

/** The errors; an empty list when there are none. */
function validate(compiled: ValidateFunction, args: unknown): readonly ErrorObject[] {
  return compiled(args) ? [] : [...(compiled.errors ?? [])]
}

type Run = (
  args: unknown,
) => { readonly ok: true; readonly value: readonly ErrorObject[] } | { readonly ok: false }
type Explain = (args: unknown, errors: readonly ErrorObject[]) => readonly Finding[]

function check(args: unknown, run: Run, explain: Explain): ParameterResult {
  if (!isRecord(args))
    return { ok: false, message: 'The arguments must be one JSON object; {} when there are none.' }
  try {
    return checkCoerced(args, run, explain)
  } catch (thrown) {
    // A value nested deeper than the stack, or a schema that is broken in a way compiling did not show.
    const why = thrown instanceof Error ? thrown.message : String(thrown)
    return { ok: false, message: `The arguments could not be checked (${why}). Send flatter ones.` }
  }
}

function checkCoerced(args: unknown, run: Run, explain: Explain): ParameterResult {
  const first = run(args)
  if (!first.ok) return tooSlow
  if (first.value.length === 0) return { ok: true, args }
  let current = args
  let errors = first.value
  // Each pass mends one level; a value that was mended is never wrong in the same way again.
  for (let pass = 0; pass < 20; pass++) {
    const mended = coerceNumbers(current, errors)
    if (mended === undefined) break
    const again = run(mended)
    if (!again.ok) return tooSlow
    if (again.value.length === 0) return { ok: true, args: mended }
    current = mended
    errors = again.value
  }
  return { ok: false, message: messageOf(explain(current, errors)) }
}

const tooSlow: ParameterResult = {
  ok: false,
  message: 'The arguments took too long to check and were refused. Send simpler or shorter ones.',
}

/** A copy in which the numbers that came as strings are numbers; undefined when no error asks for one. */
function coerceNumbers(args: unknown, errors: readonly ErrorObject[]): unknown {
  const wanted = errors.flatMap((error) => {
    if (error.keyword !== 'type') return []
    const path = pathOfPointer(error.instancePath, args)
    const number = numberIn(valueAt(args, path), [error.params.type].flat())
    return number === undefined ? [] : [{ path, number }]
  })
  if (wanted.length === 0) return undefined
  const copy = structuredClone(args)
  for (const { path, number } of wanted) {
    const parent = valueAt(copy, path.slice(0, -1))
    const key = path.at(-1)
    if (typeof parent === 'object' && parent !== null && key !== undefined) Reflect.set(parent, key, number)
  }
  return copy
}

function numberIn(value: unknown, types: readonly unknown[]): number | undefined {
  if (typeof value !== 'string' || !/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(value)) return undefined
  const number = Number(value)
  if (types.includes('number') && Number.isFinite(number)) return number
  return types.includes('integer') && Number.isSafeInteger(number) ? number : undefined
}

/** What the model reads: every mistake on a line of its own. */
function messageOf(findings: readonly Finding[]): string {
  const lines = findings.slice(0, 20).map(({ path, message, hint, code }) => {
    const place = path.length === 0 ? '' : `${pathText(path)}: `
    // What is legal or missing helps; other descriptions the model has already.
    const legal = hint !== undefined && ['AMB2102', 'AMB2103', 'AMB2104'].includes(code) ? ` (${hint})` : ''
    return `- ${place}${message}${legal}`
  })
  const more = findings.length > 20 ? [`- and ${findings.length - 20} more`] : []
  return [
    'The arguments do not fit the parameters of the tool:',
    ...lines,
    ...more,
    'Mend them and call again.',
  ].join('\n')
}
