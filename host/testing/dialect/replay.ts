import { isDeepStrictEqual } from 'node:util'
import { type Completion, type Dialect, isRecord } from '../../../sdk/index.ts'
import { messageOf } from '../../base/errors.ts'
import { type Decoded, decode, pieces, readWhole } from './decode.ts'
import type { DialectRecording, ExpectedCompletion } from './recording.ts'

/** One byte, which cuts every character and every line; a prime; and all of it. */
const SIZES = [1, 7, Number.MAX_SAFE_INTEGER]

/** A long recording is not cut at every event: each cut reads it anew. */
const MOST_CUTS = 24

/** What is wrong with how a dialect reads a recording, each with its clause. Never throws. */
export function brokenReplay(dialect: Dialect, recording: DialectRecording): readonly string[] {
  const body = typeof recording.body === 'string' ? Buffer.from(recording.body) : Buffer.from(recording.body)
  try {
    return recording.buffered ? wholeAnswer(dialect, body, recording) : streamed(dialect, body, recording)
  } catch (thrown) {
    return [`PRO-7 it throws: ${messageOf(thrown)}`]
  }
}

function wholeAnswer(dialect: Dialect, body: Buffer, { expected }: DialectRecording): readonly string[] {
  const problems = differences(expected, readWhole(dialect, body.toString('utf8')))
  for (let cut = 0; cut < body.length; cut += Math.max(1, Math.floor(body.length / 40)))
    readWhole(dialect, body.subarray(0, cut).toString('utf8'))
  return problems
}

function streamed(dialect: Dialect, body: Buffer, { expected }: DialectRecording): readonly string[] {
  const whole = decode(dialect, [body])
  const { completion } = whole
  if (completion === undefined) return ['PRO-10 the stream ends without an end chunk']
  return [
    ...differences(expected, completion),
    ...deltasAgree(whole, completion),
    ...SIZES.flatMap((size) => sameInPieces(dialect, body, { size, whole })),
    ...sameWithLineEnds(dialect, body, whole),
    ...survivesDirt(dialect, body, whole),
    ...survivesCuts(dialect, body),
  ]
}

function differences(expected: ExpectedCompletion, completion: Completion): readonly string[] {
  const { message, finishReason, status, usage } = completion
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ['text', expected.text, message.text],
    ['reasoning', expected.reasoning, message.reasoning ?? ''],
    ['finish reason', expected.finishReason, finishReason],
    ['status', expected.status, status],
  ]
  const told = pairs.flatMap(([what, wanted, got]) =>
    wanted === undefined || wanted === got
      ? []
      : [`PRO-11 ${what}: ${show(wanted)} expected, got ${show(got)}`],
  )
  return [
    ...told,
    ...callDifferences(expected.toolCalls, message.toolCalls),
    ...usageDifferences(expected.usage, usage),
  ]
}

function callDifferences(
  expected: ExpectedCompletion['toolCalls'],
  got: Completion['message']['toolCalls'],
): readonly string[] {
  if (expected === undefined) return []
  const plain = (calls: readonly { readonly name: string; readonly arguments: unknown }[]) =>
    calls.map((call) => ({ name: call.name, arguments: meant(call.arguments) }))
  const wanted = plain(expected)
  if (!isDeepStrictEqual(wanted, plain(got)))
    return [`PRO-9 tool calls: ${show(wanted)} expected, got ${show(plain(got))}`]
  const wrong = expected.filter(({ id }, at) => id !== undefined && id !== got[at]?.id)
  return wrong.map(({ id }) => `PRO-9 the call ${show(id)} has another id`)
}

function usageDifferences(
  expected: ExpectedCompletion['usage'],
  got: Completion['usage'],
): readonly string[] {
  if (expected === undefined) return []
  const { wire, ...own } = expected
  const differing = (wanted: Readonly<Record<string, unknown>>, found: unknown) =>
    Object.entries(wanted).flatMap(([name, value]) => {
      const is = isRecord(found) ? found[name] : undefined
      return is === value ? [] : [`PRO-11 usage ${name}: ${show(value)} expected, got ${show(is)}`]
    })
  return [...differing(own, got), ...differing(wire ?? {}, got?.wire)]
}

/** What was told while it streamed is what the end says. */
function deltasAgree(whole: Decoded, { message }: Completion): readonly string[] {
  const problems = whole.ends === 1 ? [] : [`PRO-10 ${whole.ends} end chunks instead of one`]
  if (whole.text !== message.text) problems.push('PRO-10 the text chunks are not the text of the end')
  if (whole.reasoning !== (message.reasoning ?? ''))
    problems.push('PRO-10 the reasoning chunks are not the reasoning of the end')
  return problems
}

function sameInPieces(
  dialect: Dialect,
  body: Buffer,
  { size, whole }: { readonly size: number; readonly whole: Decoded },
): readonly string[] {
  return sameness(whole, decode(dialect, pieces(body, size)), `in pieces of ${size} bytes`)
}

function sameWithLineEnds(dialect: Dialect, body: Buffer, whole: Decoded): readonly string[] {
  const crlf = Buffer.from(body.toString('utf8').replace(/\r\n|\r|\n/g, '\r\n'))
  return sameness(whole, decode(dialect, [crlf]), 'with CR LF line ends')
}

/** An event that is no JSON is dropped and counted, and changes nothing else. */
function survivesDirt(dialect: Dialect, body: Buffer, whole: Decoded): readonly string[] {
  const dirty = decode(dialect, [Buffer.from('data: {"broken\n\n'), body])
  const problems = sameness(whole, dirty, 'after an event that is no JSON')
  const counted = (dirty.completion?.dropped ?? 0) > (whole.completion?.dropped ?? 0)
  return counted ? problems : [...problems, 'PRO-10 an event that is no JSON is not counted as dropped']
}

/** A stream that is cut anywhere ends once, and nothing of a cut call may run. */
function survivesCuts(dialect: Dialect, body: Buffer): readonly string[] {
  const text = body.toString('utf8')
  const problems = new Set<string>()
  const ends = [...text.matchAll(/\r?\n\r?\n/g)].map(({ index }) => index)
  const step = Math.ceil(ends.length / MOST_CUTS)
  for (const [at, index] of ends.entries()) {
    if (at % step !== 0 && at < ends.length - 3) continue
    const cut = decode(dialect, [Buffer.from(text.slice(0, index))])
    if (cut.ends !== 1) problems.add(`PRO-10 a cut stream gives ${cut.ends} end chunks instead of one`)
    if (cut.completion?.message.toolCalls.some((call) => !isJson(call.arguments)))
      problems.add('PRO-10 a call whose arguments were cut could run')
  }
  return [...problems]
}

function sameness(whole: Decoded, other: Decoded, how: string): readonly string[] {
  const plain = ({ completion, ends }: Decoded) => ({
    ends,
    text: completion?.message.text,
    reasoning: completion?.message.reasoning,
    calls: completion?.message.toolCalls.map((call) => [call.name, call.arguments]),
    finishReason: completion?.finishReason,
    status: completion?.status,
    usage: completion?.usage,
  })
  const [first, second] = [plain(whole), plain(other)]
  return isDeepStrictEqual(first, second)
    ? []
    : [`PRO-11 it is read differently ${how}: ${show(second)} instead of ${show(first)}`]
}

function meant(value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (value.trim() === '') return {}
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

function isJson(text: string): boolean {
  return text.trim() === '' || typeof meant(text) !== 'string'
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}
