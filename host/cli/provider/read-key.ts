import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { readKeyText } from '../../app/provider-key.ts'
import { AmberError } from '../../base/errors.ts'
import type { CliContext } from '../context.ts'
import type { Io } from '../io.ts'
import { startReading } from '../read-input.ts'

/** How long a program before the pipe may take, when nobody said to wait: a password store may ask first. */
const PIPE_MS = 5_000
/** Most programs that start amber leave a socket open and never write to it. */
const SOCKET_MS = 200
const FOR_EVER_MS = 2 ** 31 - 1

/**
 * A key, typed without echo on a terminal or read from standard input; `''` when there is none. It never passes
 * through the command line, which the shell's history and every process of the machine would see (PRO-13).
 */
export async function readKey(
  question: string,
  { io, clock }: Pick<CliContext, 'io' | 'clock'>,
  options: { readonly waitForInput: boolean },
): Promise<string> {
  const { kind } = io.stdin
  if (io.terminal !== undefined && !options.waitForInput)
    return readKeyText(await askHidden(question, io.terminal))
  if (kind === 'terminal' || kind === 'none') return ''
  const patient = options.waitForInput || kind === 'file'
  const reading = startReading(io.stdin, clock)
  const { text, end } = await reading.finish({
    firstMs: patient ? FOR_EVER_MS : kind === 'pipe' ? PIPE_MS : SOCKET_MS,
    idleMs: patient ? FOR_EVER_MS : PIPE_MS,
  })
  if (end === 'silent' && kind === 'pipe')
    io.err.write('Standard input said nothing, so no key is taken; --key-stdin waits for its end.\n')
  return readKeyText(text)
}

/** A line with nothing shown of it. Rejects when the terminal closes or Ctrl-C is pressed. */
function askHidden(question: string, terminal: NonNullable<Io['terminal']>): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input: terminal.input, output: silent, terminal: true, historySize: 0 })
  terminal.output.write(question)
  return new Promise<string>((resolve, reject) => {
    const refuse = () => reject(new AmberError('interrupted', 'Nothing was written.', ''))
    reader.once('line', resolve)
    reader.once('SIGINT', refuse)
    reader.once('close', refuse)
  }).finally(() => {
    reader.close()
    terminal.output.write('\n')
  })
}
