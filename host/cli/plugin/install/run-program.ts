import { spawn } from 'node:child_process'
import { AmberError, messageOf, systemCode } from '../../../base/errors.ts'
import { childEnvironment } from '../../../workspace/process/environment.ts'
import type { Io } from '../../io.ts'

/** A program to run to its end. */
export interface ProgramRun {
  readonly program: 'npm' | 'git'
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
}

/** Longest that npm or git may take, and the most that is kept of what they print. */
const DEADLINE_MS = 5 * 60_000
const MOST_OUTPUT = 1024 * 1024

/**
 * Runs npm or git without a shell, without amber's keys and with nobody to ask (SAFE-6); gives its standard output.
 * Rejects with an AmberError that holds the last of what it said. Ctrl-C ends it.
 */
export function runProgram(run: ProgramRun, io: Pick<Io, 'env' | 'onInterrupt'>): Promise<string> {
  const env = { ...childEnvironment(io.env, []), ...run.env }
  return new Promise((resolve, reject) => {
    const stop = new AbortController()
    const child = spawn(run.program, [...run.argv], {
      cwd: run.cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: DEADLINE_MS,
      signal: stop.signal,
    })
    const unlisten = io.onInterrupt(() => stop.abort())
    const output = { out: '', err: '' }
    const take = (key: 'out' | 'err') => (text: string) => {
      output[key] = (output[key] + text).slice(-MOST_OUTPUT)
    }
    child.stdout.setEncoding('utf8').on('data', take('out'))
    child.stderr.setEncoding('utf8').on('data', take('err'))
    const settle = (code: number | null, thrown?: unknown) => {
      unlisten()
      if (stop.signal.aborted) reject(new AmberError('interrupted', 'Nothing was installed.', ''))
      else if (code === 0) resolve(output.out)
      else reject(failed(run.program, output.err, thrown))
    }
    child.on('error', (thrown) => settle(null, thrown))
    child.on('close', (code) => settle(code))
  })
}

function failed(program: string, said: string, thrown: unknown): AmberError {
  if (systemCode(thrown) === 'ENOENT') {
    return new AmberError('failed', `${program} is not installed.`, `Install ${program}, then try again.`)
  }
  const words = said
    .split('\n')
    .filter((line) => line.trim() !== '' && !/A complete log of this run/.test(line))
    .slice(-6)
    .join('\n')
  const what = words === '' ? messageOf(thrown ?? 'it said nothing') : words
  return new AmberError('failed', `${program} could not bring the plugin:\n${what}`, 'Nothing was installed.')
}
