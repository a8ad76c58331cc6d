import type { ShellRun, ShellService, ToolCall, ToolResult } from 'amber-agent/sdk'
import type { BashArguments } from './plugin.types.ts'

/** Seconds without output when the call does not say. */
const DEFAULT_TIMEOUT = 60

/** Runs a call of `bash`: the output, whatever the exit code, and what is to be known besides. */
export async function runCommand(
  shell: ShellService,
  { command, timeout = DEFAULT_TIMEOUT }: BashArguments,
  how: { readonly call: ToolCall; readonly until: AbortSignal },
): Promise<ToolResult> {
  const { call, until } = how
  const run = await shell.run(
    { command, idleSeconds: timeout, until },
    { signal: call.signal, onLine: (line) => call.progress(line) },
  )
  const meta = {
    exitCode: run.exitCode ?? null,
    signal: run.signal ?? null,
    durationMs: Math.round(run.durationMs),
    outputBytes: run.outputBytes,
    end: run.end,
  }
  const problem = problemOf(run, timeout)
  const output = [run.output, ...notes(run)].filter((part) => part !== '').join('\n')
  return problem === undefined ? { ok: true, output, meta } : { ok: false, error: problem, output, meta }
}

/** Why the command did not succeed; undefined when it did. */
function problemOf({ end, exitCode, signal, notices }: ShellRun, timeout: number): string | undefined {
  switch (end) {
    case 'idle':
      return `the command was ended after ${timeout} s without output. Give it a longer timeout, or use process_start for what runs on.`
    case 'cancelled':
      return 'the command was cancelled and ended.'
    case 'failed':
      return notices[0] ?? 'the command could not be started.'
    default:
      if (signal !== undefined) return `the command was ended by ${signal}.`
      return exitCode === 0 ? undefined : `exit code ${exitCode}`
  }
}

function notes(run: ShellRun): readonly string[] {
  const found = run.end === 'failed' ? [] : run.notices.map((notice) => `[${notice}]`)
  if (run.replaced === 0) return found
  return [
    ...found,
    `[${run.replaced} places of the output were not UTF-8 text and are shown as \ufffd or \u2400; it has ${run.outputBytes} bytes.]`,
  ]
}
