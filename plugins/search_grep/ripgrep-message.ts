/** A message of `rg --json` that matters here. Source: the documentation of ripgrep's crate grep-printer, "JSON". */
export type RipgrepMessage =
  | {
      readonly type: 'match'
      readonly path: string
      readonly line: number
      /** The whole line with its end, as bytes. */
      readonly bytes: Buffer
      /** Where the first match begins in `bytes`. */
      readonly start: number
    }
  | { readonly type: 'end'; readonly path: string; readonly binary: boolean }
  | { readonly type: 'summary' }

/** Reads one line of the output; undefined for a message that does not matter or is not one. */
export function readRipgrepMessage(line: Buffer): RipgrepMessage | undefined {
  let message: unknown
  try {
    message = JSON.parse(line.toString('utf8'))
  } catch {
    return undefined
  }
  const type = field(message, 'type')
  const data = field(message, 'data')
  if (type === 'summary') return { type }
  const path = readText(field(data, 'path'))?.toString('utf8')
  if (path === undefined) return undefined
  if (type === 'end') return { type, path, binary: typeof field(data, 'binary_offset') === 'number' }
  const bytes = readText(field(data, 'lines'))
  const number = field(data, 'line_number')
  if (type !== 'match' || !bytes || typeof number !== 'number') return undefined
  return { type, path, line: number, bytes, start: firstStart(field(data, 'submatches')) }
}

/** Text is `{text}` when it is UTF-8, else `{bytes}` in base64. */
function readText(value: unknown): Buffer | undefined {
  const text = field(value, 'text')
  if (typeof text === 'string') return Buffer.from(text, 'utf8')
  const bytes = field(value, 'bytes')
  return typeof bytes === 'string' ? Buffer.from(bytes, 'base64') : undefined
}

function firstStart(submatches: unknown): number {
  const start: unknown = Array.isArray(submatches) ? field(submatches[0], 'start') : undefined
  return typeof start === 'number' ? start : 0
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined
}
