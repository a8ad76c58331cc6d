import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { plainEnvironment } from './measure.ts'

/** The repository. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

/** The built command. */
export const amber = join(root, 'dist', 'amber.js')

/** `amber dev`, built, as a process of its own. */
export interface DevProcess {
  readonly pid: number
  readonly url: string
  readonly token: string
  end(): Promise<void>
}

/** Starts it over folders; resolves when all of them are live. */
export async function startAmberDev(home: string, folders: readonly string[]): Promise<DevProcess> {
  mkdirSync(home, { recursive: true })
  const child = spawn(process.execPath, [amber, 'dev', ...folders, '--json'], {
    cwd: home,
    env: plainEnvironment({ AMBER_HOME: home }),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await new Promise<string>((resolve, reject) => {
    child.on('exit', () => reject(new Error('amber dev ended')))
    createInterface({ input: child.stdout }).on('line', (line) => {
      const event = JSON.parse(line)
      if (event.type === 'rejected') reject(new Error(line))
      if (event.type === 'ready') resolve(event.url)
    })
  })
  const end = () => endOf(child)
  return { pid: child.pid ?? 0, url, token: new URL(url).hash.replace('#token=', ''), end }
}

/** Ends a process politely. */
export async function endOf(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('close', resolve))
  child.kill('SIGTERM')
  await ended
}

/** A plain client of the events; hears each swap as its bytes come in. */
export function listenToSwaps(dev: DevProcess, heard: (at: number) => void): () => void {
  const request = get(
    new URL('/api/events', dev.url),
    { headers: { 'x-amber-token': dev.token } },
    (response) => {
      response.setEncoding('utf8').on('data', (text: string) => {
        if (text.includes('event: swap\n')) heard(performance.now())
      })
    },
  )
  request.on('error', () => {})
  return () => request.destroy()
}

/** Milliseconds of processor time that a process has used, and its children that have ended; of Linux: ticks of 10 ms. */
export function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0) * 10
}

/** Resident memory of a process, in megabytes. */
export function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) / 1024
}
