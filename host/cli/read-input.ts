import type { Clock } from '../base/clock.ts'
import type { StandardInput } from './io.ts'

/** What came from standard input. */
export interface InputText {
  /** Without a byte order mark; '' when there was nothing but blanks. */
  readonly text: string
  /** It is no text: none of it is told. */
  readonly isBinary: boolean
  /** `silent`: nothing came in time. `idle`: something came, then nothing for long. `full`: more than is read. */
  readonly end: 'eof' | 'silent' | 'idle' | 'full'
}

/** A reading that has begun. */
export interface InputReading {
  /** Waits for the end of the input, but never for ever on an idle pipe (row H1). `firstMs` counts from the start. */
  finish(waits: { readonly firstMs: number; readonly idleMs: number }): Promise<InputText>
  stop(): void
}

/** What came while amber was busy starting still has to be looked at. */
const LEAST_MS = 20

/** The most that is read, in bytes: more fits into no model's window. */
const MAX_BYTES = 8 * 1024 * 1024

/** A zero byte in so many first ones tells what is no text, as for a file that a prompt names. */
const LOOKED_AT_BYTES = 8192

/** Begins to read at once, so that reading and starting amber overlap. A terminal is not read. */
export function startReading(input: StandardInput, clock: Clock): InputReading {
  if (input.kind === 'terminal' || input.kind === 'none') {
    return { finish: async () => ({ text: '', isBinary: false, end: 'eof' }), stop() {} }
  }
  const stream = input.stream()
  const started = clock.monotonic()
  const chunks: Buffer[] = []
  let bytes = 0
  let end: InputText['end'] | undefined
  let heard = () => {}
  const settle = (how: InputText['end']) => {
    end ??= how
    heard()
  }
  const onData = (chunk: Buffer | string) => {
    const data = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    bytes += data.length
    chunks.push(data)
    if (bytes > MAX_BYTES) settle('full')
    else heard()
  }
  const onEnd = () => settle('eof')
  stream.on('data', onData)
  stream.on('end', onEnd)
  stream.on('close', onEnd)
  stream.on('error', onEnd)
  const stop = () => {
    stream.off('data', onData)
    stream.off('end', onEnd)
    stream.off('close', onEnd)
    stream.pause()
  }
  return {
    stop,
    async finish({ firstMs, idleMs }) {
      while (end === undefined) {
        const waited = await new Promise<boolean>((resolve) => {
          const left = Math.max(LEAST_MS, firstMs - (clock.monotonic() - started))
          const cancel = clock.after(bytes === 0 ? left : idleMs, () => resolve(true))
          heard = () => {
            cancel()
            resolve(false)
          }
        })
        if (waited) settle(bytes === 0 ? 'silent' : 'idle')
      }
      stop()
      const all = Buffer.concat(chunks).subarray(0, MAX_BYTES)
      const isBinary = all.subarray(0, LOOKED_AT_BYTES).includes(0)
      return { text: isBinary ? '' : textOf(all), isBinary, end }
    },
  }
}

function textOf(bytes: Buffer): string {
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '')
  return text.trim() === '' ? '' : text
}
