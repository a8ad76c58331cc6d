import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const built = join(root, 'dist', 'amber.js')

/** Node's arguments that run amber: the built command, or its source where nothing is built. */
export const amberArguments: readonly string[] = existsSync(built)
  ? [built]
  : ['--import', 'tsx', join(root, 'host', 'cli', 'main.ts')]

/** What a finished process left. */
export interface Finished {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** A running amber. */
export interface AmberProcess {
  readonly finished: Promise<Finished>
  /** Resolves when standard output or error shows a text. */
  sees(text: string): Promise<void>
  kill(signal: NodeJS.Signals): void
}

/** Starts `amber ARGV` in a home of its own, with no provider's key in its environment. */
export function startAmber(
  argv: readonly string[],
  options: {
    readonly home: string
    readonly stdin?: 'ignore' | 'pipe' | string
    readonly env?: Readonly<Record<string, string>>
  },
): AmberProcess {
  const { stdin = 'ignore' } = options
  const child = spawn(process.execPath, [...amberArguments, ...argv], {
    cwd: root,
    env: { ...environment(options.home), ...options.env },
    stdio: [stdin === 'ignore' ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  })
  let out = ''
  let err = ''
  let wake = () => {}
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    out += text
    wake()
  })
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    err += text
    wake()
  })
  if (stdin !== 'ignore' && stdin !== 'pipe') child.stdin?.end(stdin)
  return {
    kill: (signal) => child.kill(signal),
    finished: new Promise((resolve, reject) => {
      child.on('error', reject)
      child.on('close', (code) => {
        resolve({ code, out, err })
        wake()
      })
    }),
    async sees(text) {
      while (!(out + err).includes(text)) {
        if (child.exitCode !== null) throw new Error(`amber ended before it said ${text}: ${out}${err}`)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
  }
}

/** The environment of a test's amber. */
export function environment(home: string): Readonly<Record<string, string>> {
  return { PATH: process.env.PATH ?? '', HOME: home, AMBER_HOME: home, LANG: 'C.UTF-8' }
}
