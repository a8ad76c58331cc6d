import type { Readable } from 'node:stream'
import type { JobReading, JobRequest, JobState } from '../../../sdk/index.ts'
import type { Clock } from '../../base/clock.ts'
import type { ChildGroup, GroupEnd } from './child-group.ts'
import { decodeOutput, lastBytes, MOST_TEXT } from './output-text.ts'
import { ByteRing } from './ring.ts'

/** One program in the background. */
export interface Job {
  state(): JobState
  /** What came since the last reading, or all that is kept. */
  read(all: boolean): JobReading
  stop(): Promise<void>
}

/** Output that is kept of one job, in bytes (bundled-plugins 3). */
const RING_BYTES = 1024 * 1024

/** After its end a command's last output is on its way, for no longer than this. Milliseconds. */
const LAST_MS = 300

function closed(clock: Clock, output: Readable | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (output === undefined || output.closed) return resolve()
    const cancel = clock.after(LAST_MS, resolve)
    output.once('close', () => {
      cancel()
      resolve()
    })
  })
}

/** Watches over a group that was started: keeps its output, ends it in time. */
export function startJob(
  deps: { readonly clock: Clock; readonly group: ChildGroup },
  { id, request }: { readonly id: string; readonly request: JobRequest },
): Job {
  const { clock, group } = deps
  const started = clock.monotonic()
  const ring = new ByteRing(RING_BYTES)
  let lastOutput = started
  let readTo = 0
  let state: JobState['state'] = 'running'
  let finished: { readonly end: GroupEnd; readonly at: number } | undefined
  const seconds = (ms: number) => Math.max(0, Math.ceil(ms / 1000))
  const hardMs = request.timeoutSeconds * 1000
  const idleMs = request.idleSeconds * 1000

  const finish = async (why: 'stopped' | 'timeout' | 'idle') => {
    if (state === 'running') state = why
    await group.end()
  }
  const cancelHard = clock.after(hardMs, () => void finish('timeout'), { background: true })
  let cancelIdle = () => {}
  const lookIdle = () => {
    const left = lastOutput + idleMs - clock.monotonic()
    if (left <= 0) void finish('idle')
    else cancelIdle = clock.after(left, lookIdle, { background: true })
  }
  if (idleMs > 0) cancelIdle = clock.after(idleMs, lookIdle, { background: true })

  group.output?.on('data', (chunk: Buffer) => {
    lastOutput = clock.monotonic()
    ring.push(chunk)
  })
  group.output?.on('error', () => undefined)
  if (group.output && 'unref' in group.output && typeof group.output.unref === 'function')
    group.output.unref()
  const last = async (end: GroupEnd): Promise<void> => {
    cancelHard()
    cancelIdle()
    if (state === 'running') state = 'ended'
    if (end.error !== undefined) ring.push(Buffer.from(`The command could not be started: ${end.error}\n`))
    const at = clock.monotonic()
    // The command is the job: what it left in the background ends with it, and then the output has its end.
    await group.end()
    await closed(clock, group.output)
    finished = { end, at }
  }
  const done = group.ended.then(last)

  const describe = (): JobState => {
    const now = clock.monotonic()
    const runs = finished === undefined
    return {
      id,
      command: request.command,
      // Not before its last output has arrived, or nobody would look for it.
      state: runs ? 'running' : state,
      exitCode: finished?.end.exitCode,
      signal: finished?.end.signal,
      ranSeconds: ((finished?.at ?? now) - started) / 1000,
      secondsLeft: runs ? seconds(started + hardMs - now) : undefined,
      idleSecondsLeft: runs && idleMs > 0 ? seconds(lastOutput + idleMs - now) : undefined,
    }
  }
  return {
    state: describe,
    read(all) {
      const from = all ? ring.oldest : Math.max(readTo, ring.oldest)
      const gone = from - (all ? 0 : readTo)
      const { text } = decodeOutput(ring.from(from), { start: gone > 0, end: finished === undefined })
      readTo = ring.total
      const shown = lastBytes(text, MOST_TEXT)
      return { ok: true, ...describe(), output: shown.text, leftOutBytes: gone + shown.leftOut }
    },
    async stop() {
      if (finished !== undefined) return
      await finish('stopped')
      await done
    },
  }
}
