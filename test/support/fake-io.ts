import { PassThrough } from 'node:stream'
import type { Io, StandardInput } from '../../host/cli/io.ts'

/** An Io whose streams are in memory. */
export interface FakeIo extends Io {
  stdout(): string
  stderr(): string
  /** Presses Ctrl-C. */
  interrupt(): void
  /** The reader of standard output goes away. */
  close(): void
  /** What is typed or piped in. */
  readonly input: PassThrough
}

/** Makes one: no terminal, and standard input at its end, unless said. */
export function createFakeIo(
  options: {
    readonly stdin?: StandardInput['kind']
    readonly outTTY?: boolean
    readonly terminal?: boolean
    readonly env?: Readonly<Record<string, string | undefined>>
    readonly cwd?: string
    readonly onWrite?: (text: string) => void
  } = {},
): FakeIo {
  const written = { out: '', err: '' }
  const closed = new AbortController()
  const handlers = new Set<() => void>()
  const input = new PassThrough()
  const screen = new PassThrough()
  const output = (key: 'out' | 'err', isTTY: boolean) => ({
    isTTY,
    write(text: string) {
      written[key] += text
      options.onWrite?.(text)
    },
  })
  screen.on('data', (chunk) => {
    written.out += String(chunk)
    options.onWrite?.(String(chunk))
  })
  return {
    out: output('out', options.outTTY ?? options.terminal ?? false),
    err: output('err', options.terminal ?? false),
    stdin: { kind: options.stdin ?? 'none', stream: () => input },
    terminal: options.terminal ? { input, output: screen } : undefined,
    env: options.env ?? {},
    cwd: options.cwd ?? '/',
    closed: closed.signal,
    onInterrupt(handler) {
      handlers.add(handler)
      return () => handlers.delete(handler)
    },
    stdout: () => written.out,
    stderr: () => written.err,
    interrupt: () => {
      for (const handler of handlers) handler()
    },
    close: () => closed.abort(),
    input,
  }
}
