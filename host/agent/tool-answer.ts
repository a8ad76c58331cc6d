import { isRecord } from '../../sdk/index.ts'
import { messageOf } from '../base/errors.ts'
import type { Outcome } from '../base/outcome.ts'
import { readPlain } from '../base/plain-data.ts'
import { cutToBytes } from '../base/text-limit.ts'
import type { InstalledTool } from '../registry/contribution.ts'

/** The most that goes to a model from one call, in bytes of UTF-8 (TOOL-8). */
export const MAX_OUTPUT_BYTES = 65_536
const MAX_ERROR_BYTES = 16_384

/** What a call came to, believed and capped. */
export interface ToolAnswerParts {
  readonly ok: boolean
  readonly output?: string
  readonly error?: string
  readonly meta?: Readonly<Record<string, unknown>>
}

/** Who answers, for the words of an error. */
export type Named = Pick<InstalledTool, 'name' | 'plugin' | 'maxOutputBytes'>

/** Makes an answer of whatever a tool's code came to: never throws, always names tool and plugin (TOOL-3). */
export function readAnswer(tool: Named, outcome: Outcome<unknown>): ToolAnswerParts {
  const who = `Tool ${tool.name} of plugin ${tool.plugin}`
  if (outcome.kind === 'declined')
    return { ok: false, error: cutError(`${who} is not available here: ${messageOf(outcome.why)}`) }
  if (outcome.kind === 'fault') {
    const { message, hint } = outcome.fault.diagnostic
    return { ok: false, error: cutError(`${who} failed: ${message}${hint ? ` (${hint})` : ''}`) }
  }
  const result = readResult(outcome.value)
  if ('wrong' in result) {
    const error = `${who} answered something that is no tool result${result.wrong}. The plugin's author must return {ok, output?, error?}.`
    return { ok: false, error: cutError(error) }
  }
  return capAnswer(tool, result.ok || result.error ? result : { ...result, error: `${who} gave no reason.` })
}

/** Reads each property once and inside a guard: a result is a plugin's object, whose getters may throw or change. */
function readResult(value: unknown): ToolAnswerParts | { readonly wrong: string } {
  try {
    return typeof value === 'object' && value !== null ? readParts(value) : { wrong: '' }
  } catch (thrown) {
    return { wrong: `: ${messageOf(thrown)}` }
  }
}

function readParts(value: object): ToolAnswerParts | { readonly wrong: string } {
  const read = (name: keyof ToolAnswerParts): unknown => Reflect.get(value, name)
  const [ok, output, error, meta] = [read('ok'), read('output'), read('error'), read('meta')]
  if (typeof ok !== 'boolean') return { wrong: '' }
  if (output !== undefined && typeof output !== 'string') return { wrong: ': its output is no text' }
  if (error !== undefined && typeof error !== 'string') return { wrong: ': its error is no text' }
  const parts = { ok, ...(output === undefined ? {} : { output }), ...(error === undefined ? {} : { error }) }
  if (meta === undefined) return parts
  const plain = readPlain(meta)
  if (!plain.ok) return { wrong: `: its meta is no plain data: ${plain.why}` }
  return isRecord(plain.value) ? { ...parts, meta: plain.value } : { wrong: ': its meta is no record' }
}

/** Caps output and error together, with a note that says how much was left out (TOOL-8). */
function capAnswer(tool: Named, answer: ToolAnswerParts): ToolAnswerParts {
  const limit = Math.max(0, Math.min(tool.maxOutputBytes, MAX_OUTPUT_BYTES))
  const error =
    answer.error === undefined ? undefined : cutError(answer.error, Math.min(limit, MAX_ERROR_BYTES))
  const room = Math.max(0, limit - Buffer.byteLength(error ?? ''))
  const output = answer.output === undefined ? undefined : cutOutput(answer.output, room)
  return {
    ok: answer.ok,
    ...(output === undefined ? {} : { output }),
    ...(error === undefined ? {} : { error }),
    ...(answer.meta === undefined ? {} : { meta: answer.meta }),
  }
}

function cutOutput(text: string, room: number): string {
  const cut = cutToBytes(text, room)
  if (cut.leftOut === 0) return cut.text
  return `${cut.text}\n[… ${cut.leftOut} of ${Buffer.byteLength(text)} bytes were left out]`
}

function cutError(text: string, room = MAX_ERROR_BYTES): string {
  const cut = cutToBytes(text, room)
  return cut.leftOut === 0 ? cut.text : `${cut.text} [… ${cut.leftOut} bytes were left out]`
}

/** The result's text for the model: a status line, the output and the error where both exist, an end mark. */
export function modelText(answer: ToolAnswerParts): string {
  const status = answer.ok ? 'ok' : `error: ${answer.error ?? 'no reason was given'}`
  const output = answer.output ?? ''
  if (output === '') return answer.ok ? 'ok, with no output' : status
  return `${status}\n${output}${output.endsWith('\n') ? '' : '\n'}[end of output]`
}

/** The same for people: the words alone. */
export function shownText(answer: ToolAnswerParts): string {
  if (answer.ok) return answer.output ?? ''
  return [answer.error, answer.output].filter((part) => part !== undefined && part !== '').join('\n')
}
