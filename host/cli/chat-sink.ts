import type { TurnResult, TurnSink } from '../agent/turn.ts'
import { sanitiseText } from '../base/sanitise.ts'
import type { Outputs } from '../headless/output.ts'
import { callLine, errorLines } from '../headless/text.ts'

/** Shows the turns of a line-mode conversation: the answer as it comes, one line a call. */
export function createChatSink({ out }: Pick<Outputs, 'out'>): TurnSink & { end(result: TurnResult): void } {
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
    toolCompleted: (call) => say(callLine(call)),
    toolProgress() {},
    notice: (message) => say(message),
    error: (error) => say(errorLines(error)),
    end(result) {
      freshLine()
      if (result.finishReason === 'cancelled') say('cancelled')
    },
  }
}
