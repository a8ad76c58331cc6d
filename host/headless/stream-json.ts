import { sanitiseText } from '../base/sanitise.ts'
import { type Outputs, writeJsonLine } from './output.ts'
import { errorLines } from './text.ts'
import type { HeadlessWriter } from './writer.ts'

/** `--output stream-json`: one object a line, `type` first (interfaces 2). Notices and errors stand on standard error too. */
export function createStreamJsonWriter({ out, err }: Outputs): HeadlessWriter {
  const write = (type: string, fields: object) => writeJsonLine(out, { type, ...fields })
  return {
    begin: (session) => write('session', session),
    text: (delta) => write('text', { delta }),
    reasoning: (delta) => write('reasoning', { delta }),
    toolRequested: ({ id, name, plugin, arguments: args, lane }) =>
      write('tool.requested', { id, name, plugin: plugin ?? null, arguments: args, ...inLane(lane) }),
    toolCompleted: ({ id, name, ok, output, durationMs, lane }) =>
      write('tool.completed', { id, name, ok, output, durationMs: Math.round(durationMs), ...inLane(lane) }),
    notice(message) {
      write('notice', { message })
      err.write(`${sanitiseText(message)}\n`)
    },
    error({ kind, message, hint, status }) {
      write('error', { kind, message, hint, ...(status === undefined ? {} : { status }) })
      err.write(`${sanitiseText(errorLines({ message, hint }))}\n`)
    },
    end: (result) => write('turn.ended', result),
  }
}

/** A sub-agent's calls name the call that started it. */
const inLane = (lane: string | undefined) => (lane === undefined ? {} : { lane })
