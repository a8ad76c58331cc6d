import type { Readable } from 'node:stream'
import type { ShellCall, ShellRequest, ShellRun } from '../../../sdk/index.ts'
import type { Clock } from '../../base/clock.ts'
import type { ChildGroup } from './child-group.ts'
import type { Environment } from './environment.ts'
import type { Groups } from './groups.ts'
import { HeadTail } from './head-tail.ts'

/** A command to run to its end. */
export interface RunRequest extends ShellRequest {
  readonly folder: string
  readonly env: Environment
}

/** After the command has ended, its last output is on its way; a program that it left may hold the pipe for ever (row B1). */
const LAST_QUIET_MS = 60
const LAST_MOST_MS = 400
/** The newest line is told no more often than this. */
const LINE_EVERY_MS = 250

/** Runs a command until it ends, is silent for too long, or the call is cancelled. Never rejects. */
export async function runGroup(
  deps: { readonly clock: Clock; readonly groups: Groups },
  request: RunRequest,
  call: ShellCall,
): Promise<ShellRun> {
  const { clock } = deps
  const started = clock.monotonic()
  const kept = new HeadTail()
  // Looked at before anything starts: what is started may be faster than its end.
  const group = call.signal.aborted ? undefined : deps.groups.start(request)
  if (group === undefined) {
    return answer({ kept, end: 'cancelled', durationMs: clock.monotonic() - started })
  }
  const watch = watchOutput(clock, group.output, { kept, ...(call.onLine ? { onLine: call.onLine } : {}) })
  let end: ShellRun['end'] = 'exited'
  const stop = (why: 'idle' | 'cancelled') => {
    if (end !== 'exited') return
    end = why
    void group.end()
  }
  const unwatchIdle = watchIdle(clock, watch, {
    idleMs: request.idleSeconds * 1000,
    onIdle: () => stop('idle'),
  })
  const cancel = () => stop('cancelled')
  call.signal.addEventListener('abort', cancel, { once: true })
  const ended = await group.ended
  unwatchIdle()
  await watch.settled()
  call.signal.removeEventListener('abort', cancel)
  watch.drop()
  if (end !== 'exited') await group.end()
  const { exitCode, signal, error } = ended
  return answer({
    kept,
    end: error === undefined ? end : 'failed',
    durationMs: clock.monotonic() - started,
    exitCode,
    signal,
    notices: [
      ...(error === undefined ? [] : [`The command could not be started: ${error}.`]),
      ...(end === 'exited' ? leftovers(group, request.until) : []),
    ],
  })
}

function answer(
  facts: Pick<ShellRun, 'end' | 'durationMs'> & {
    readonly kept: HeadTail
    readonly exitCode?: number | undefined
    readonly signal?: string | undefined
    readonly notices?: readonly string[]
  },
): ShellRun {
  const { text, replaced, leftOut } = facts.kept.text()
  return {
    exitCode: facts.exitCode,
    signal: facts.signal,
    end: facts.end,
    output: text,
    outputBytes: facts.kept.total,
    // Replaced bytes take more room in the text than they had.
    leftOutBytes: Math.min(leftOut, facts.kept.total),
    replaced,
    durationMs: facts.durationMs,
    notices: facts.notices ?? [],
  }
}

/** A program that the command left behind lives on, but no longer than it may. */
function leftovers(group: ChildGroup, until: AbortSignal | undefined): readonly string[] {
  if (!group.isAlive()) return []
  const end = () => void group.end()
  if (until?.aborted) end()
  else until?.addEventListener('abort', end, { once: true })
  return ['A program that the command started still runs; it ends with amber.']
}

interface OutputWatch {
  /** When something came last. */
  lastAt(): number
  /** Resolves when the output has ended or gone quiet, after the command's end. */
  settled(): Promise<void>
  /** Keeps nothing more; what comes is thrown away, so that who writes is not stopped. */
  drop(): void
}

function watchOutput(
  clock: Clock,
  output: Readable | undefined,
  { kept, onLine }: { readonly kept: HeadTail; readonly onLine?: (line: string) => void },
): OutputWatch {
  let last = clock.monotonic()
  let toldAt = -LINE_EVERY_MS
  let open = output !== undefined
  let dropped = false
  let wake = () => {}
  output?.on('data', (chunk: Buffer) => {
    if (dropped) return
    last = clock.monotonic()
    kept.push(chunk)
    if (onLine === undefined || last - toldAt < LINE_EVERY_MS) return
    toldAt = last
    const line = chunk.subarray(-400).toString('utf8').trimEnd().split('\n').at(-1)?.trim()
    if (line) onLine(line)
  })
  const closed = () => {
    open = false
    wake()
  }
  output?.once('close', closed).once('error', closed)
  return {
    lastAt: () => last,
    async settled() {
      const latest = clock.monotonic() + LAST_MOST_MS
      last = clock.monotonic()
      for (;;) {
        const left = Math.min(last + LAST_QUIET_MS, latest) - clock.monotonic()
        if (!open || left <= 0) return
        await new Promise<void>((resolve) => {
          const cancel = clock.after(left, resolve)
          wake = () => {
            cancel()
            resolve()
          }
        })
      }
    },
    drop() {
      dropped = true
      if (output !== undefined && 'unref' in output && typeof output.unref === 'function') output.unref()
    },
  }
}

/** Looks at the end of each span of silence, so that output costs no timer. */
function watchIdle(
  clock: Clock,
  watch: OutputWatch,
  { idleMs, onIdle }: { readonly idleMs: number; readonly onIdle: () => void },
): () => void {
  if (idleMs <= 0) return () => {}
  let cancel = () => {}
  const look = () => {
    const left = watch.lastAt() + idleMs - clock.monotonic()
    if (left <= 0) onIdle()
    else cancel = clock.after(left, look)
  }
  cancel = clock.after(idleMs, look)
  return () => cancel()
}
