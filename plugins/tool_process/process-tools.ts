import type { JobError, JobReading, JobsService, ToolResult } from 'amber-agent/sdk'
import type { ProcessReadArguments, ProcessStartArguments, ProcessStopArguments } from './plugin.types.ts'

const DEFAULT_TIMEOUT = 600
const DEFAULT_IDLE_TIMEOUT = 30

/** Runs a call of `process_start`. */
export async function startJob(
  jobs: JobsService,
  args: ProcessStartArguments,
): Promise<{ readonly id?: string; readonly result: ToolResult }> {
  const timeoutSeconds = args.timeout ?? DEFAULT_TIMEOUT
  const idleSeconds = args.idle_timeout ?? DEFAULT_IDLE_TIMEOUT
  const started = await jobs.start({
    command: args.command,
    timeoutSeconds,
    idleSeconds,
    ...(args.cwd === undefined ? {} : { cwd: args.cwd }),
  })
  if (!started.ok) return { result: started }
  const idle = idleSeconds === 0 ? '' : `, or after ${idleSeconds} s without output`
  const output = `Started ${started.id}. It ends after ${timeoutSeconds} s at the latest${idle}. See how it goes with process_read.`
  return { id: started.id, result: { ok: true, output, meta: { id: started.id } } }
}

/** Runs a call of `process_read`. */
export async function readJob(jobs: JobsService, { id, all }: ProcessReadArguments): Promise<ToolResult> {
  return describe(await jobs.read(id, { all: all === true }))
}

/** Runs a call of `process_stop`. */
export async function stopJob(jobs: JobsService, { id }: ProcessStopArguments): Promise<ToolResult> {
  return describe(await jobs.stop(id))
}

/** The ids that an earlier version handed over; none when it left nothing of the kind. */
export function startedIds(handedOver: unknown): readonly string[] {
  return Array.isArray(handedOver) ? handedOver.filter((id) => typeof id === 'string') : []
}

function describe(reading: JobReading | JobError): ToolResult {
  if (!reading.ok) return reading
  const { id, state, output, leftOutBytes, exitCode, signal } = reading
  const left = leftOutBytes > 0 ? `[${leftOutBytes} earlier bytes were left out]\n` : ''
  const body = output === '' ? '[no new output]' : `${left}${output}`
  return {
    ok: true,
    output: `${id} ${stateLine(reading)}\n${body}`,
    meta: { id, state, exitCode: exitCode ?? null, signal: signal ?? null },
  }
}

function stateLine(reading: JobReading): string {
  const { state, exitCode, signal, secondsLeft, idleSecondsLeft } = reading
  const ran = `${reading.ranSeconds.toFixed(1)} s`
  const how = signal === undefined ? `exit code ${exitCode ?? 'unknown'}` : `by ${signal}`
  switch (state) {
    case 'running': {
      const idle = idleSecondsLeft === undefined ? '' : `, or in ${idleSecondsLeft} s without output`
      return `runs since ${ran}; it ends in ${secondsLeft ?? 0} s${idle}`
    }
    case 'ended':
      return `ended after ${ran}, ${how}`
    case 'stopped':
      return `was stopped after ${ran}`
    case 'timeout':
      return `was ended after ${ran}: its time was up`
    case 'idle':
      return `was ended after ${ran}: it printed nothing for too long`
  }
}
