import type { TurnResult, TurnSink } from '../agent/turn.ts'
import { sanitiseText } from '../base/sanitise.ts'
import { createCountdownLine } from '../headless/countdown-line.ts'
import { callLine, errorLines } from '../headless/text.ts'
import { columnsOf, foldText } from './fold-text.ts'
import type { Io } from './io.ts'

/** Shows the turns of a line-mode conversation: the answer as it comes, one line a call. */
export function createChatSink({
  out,
  terminal,
}: Pick<Io, 'out' | 'terminal'>): TurnSink & { end(result: TurnResult): void } {
  let atLineStart = true
  const freshLine = () => {
    if (!atLineStart) out.write('\n')
    atLineStart = true
  }
  const say = (text: string) => {
    freshLine()
    out.write(`${sanitiseText(text)}\n`)
  }
  return {
    text(delta) {
      if (delta === '') return
      out.write(sanitiseText(delta))
      atLineStart = delta.endsWith('\n')
    },
    reasoning() {},
    toolRequested() {},
    toolCompleted: (call) => say([callLine(call), ...diffLines(call.meta?.diff)].join('\n')),
    toolProgress() {},
    notice: (message) => say(foldText(message, columnsOf(terminal?.output))),
    waiting: createCountdownLine(out),
    error: (error) => say(foldText(errorLines(error), columnsOf(terminal?.output))),
    end(result) {
      freshLine()
      if (result.finishReason === 'cancelled') say('cancelled')
      const cost = usageLine(result.usage)
      if (cost !== '') say(cost)
    },
  }
}

/** Lines of a diff that are shown; the file itself is there to be looked at. */
const MOST_DIFF_LINES = 40

/** What a call changed, below its line. */
function diffLines(diff: unknown): readonly string[] {
  if (typeof diff !== 'string') return []
  const lines = diff.split('\n').slice(2)
  const shown = lines.slice(0, MOST_DIFF_LINES).map((line) => `    ${line}`)
  return lines.length > MOST_DIFF_LINES
    ? [...shown, `    … ${lines.length - MOST_DIFF_LINES} more lines`]
    : shown
}

/** `  12.4k tokens in, 11k of them cached, 310 out`; empty when the server told nothing. */
export function usageLine({ inputTokens, outputTokens, cachedTokens }: TurnResult['usage']): string {
  if (inputTokens === 0 && outputTokens === 0) return ''
  const cached = cachedTokens === undefined ? '' : `, ${tokens(cachedTokens)} of them cached`
  return `  ${tokens(inputTokens)} tokens in${cached}, ${tokens(outputTokens)} out`
}

/** Below 1000 plain, below 10k one decimal, else rounded (bundled-plugins 7). */
function tokens(count: number): string {
  if (count < 1000) return String(count)
  return count < 10_000 ? `${(count / 1000).toFixed(1)}k` : `${Math.round(count / 1000)}k`
}
