import { fileURLToPath } from 'node:url'
import { createApp } from '../../host/app/create-app.ts'
import { systemClock } from '../../host/base/clock.ts'
import { runProgram } from '../../host/cli/program.ts'
import { createFakeIo, type FakeIo } from './fake-io.ts'

/** A command line in this process: the whole program, its streams in memory. */
export interface CommandLine {
  readonly io: FakeIo
  readonly code: Promise<number>
  /** Waits until a text shows, after the last one waited for. */
  sees(text: string): Promise<void>
  types(text: string): void
}

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Starts `amber ARGV` with a home of its own and real files, servers and plugins; only the streams are not real. */
export function startCommandLine(
  argv: readonly string[],
  options: { readonly home: string } & Omit<NonNullable<Parameters<typeof createFakeIo>[0]>, 'onWrite'>,
): CommandLine {
  const { home, env = {}, ...given } = options
  let seen = ''
  let position = 0
  let wake = () => {}
  const io = createFakeIo({
    cwd: home,
    ...given,
    env: { AMBER_HOME: home, ...env },
    onWrite(text) {
      seen += text
      wake()
    },
  })
  const code = runProgram(argv, {
    io,
    clock: systemClock,
    installation: { folder: root, version: '0.1.0' },
    createApp,
  })
  let ended = false
  void code.finally(() => {
    ended = true
    wake()
  })
  return {
    io,
    code,
    async sees(text) {
      while (!seen.includes(text, position)) {
        if (ended) throw new Error(`amber ended before it said ${JSON.stringify(text)}: ${seen}`)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      position = seen.indexOf(text, position) + text.length
    },
    types: (text) => io.input.write(text),
  }
}

/** Runs one to its end. */
export async function runCommandLine(...args: Parameters<typeof startCommandLine>) {
  const { io, code } = startCommandLine(...args)
  return { code: await code, out: io.stdout(), err: io.stderr() }
}
