import type { ToolCompleted, TurnError } from '../agent/turn.ts'
import { sanitiseLine, sanitiseText } from '../base/sanitise.ts'
import { createCountdownLine } from './countdown-line.ts'
import type { Output, Outputs } from './output.ts'
import type { HeadlessWriter } from './writer.ts'

/**
 * `--output text`. A terminal sees the answer as it comes; a pipe or file gets the final text, whole and alone.
 * Notices and errors go to standard error, and there, on a terminal, a line for each call.
 */
export function createTextWriter({ out, err }: Outputs): HeadlessWriter {
  let atLineStart = true
  let shown = ''
  const show = (output: Output, text: string) => output.write(output.isTTY ? sanitiseText(text) : text)
  const tell = (text: string) => {
    if (out.isTTY && !atLineStart) {
      out.write('\n')
      atLineStart = true
    }
    err.write(`${sanitiseText(text)}\n`)
  }
  const countdown = createCountdownLine(err)
  return {
    holdsText: !out.isTTY,
    begin() {},
    text(delta) {
      if (!out.isTTY || delta === '') return
      show(out, delta)
      shown += delta
      atLineStart = delta.endsWith('\n')
    },
    reasoning() {},
    toolRequested() {
      shown = ''
    },
    toolCompleted(call) {
      if (err.isTTY) tell(callLine(call))
    },
    notice: tell,
    waiting(secondsLeft) {
      if (err.isTTY) countdown(secondsLeft)
    },
    error: (error) => tell(errorLines(error)),
    end(result) {
      if (!out.isTTY) {
        if (result.text !== '') out.write(endLine(result.text))
        return
      }
      if (shown === '' && result.text !== '') show(out, endLine(result.text))
      else if (!atLineStart) out.write('\n')
    },
  }
}

function endLine(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`
}

/** `searching  "TODO" in src   41 ms`, with what went wrong when it did. */
export function callLine({ verb, summary, ok, durationMs, output }: ToolCompleted): string {
  const time = durationMs < 1000 ? `${Math.round(durationMs)} ms` : `${(durationMs / 1000).toFixed(1)} s`
  const state = ok
    ? time
    : `failed after ${time}: ${sanitiseLine(output.split('\n', 1)[0] ?? '').slice(0, 160)}`
  return `  ${sanitiseLine(verb)}  ${sanitiseLine(summary).slice(0, 160)}  ${state}`
}

/** One line that says what, one that says what to do. */
export function errorLines({ message, hint }: Pick<TurnError, 'message' | 'hint'>): string {
  return hint === '' ? `error: ${message}` : `error: ${message}\n${hint}`
}
