import type { Completion, Usage } from '../../sdk/index.ts'
import type { CallOutcome } from './dispatch-tool.ts'
import type { TurnError, TurnResult } from './turn.ts'
import { createUsageSum } from './usage.ts'

/** What a turn itself knows of its result; the agent adds session, provider, model and plugin errors. */
export type TurnFacts = Pick<
  TurnResult,
  'text' | 'reasoning' | 'finishReason' | 'usage' | 'toolCalls' | 'errors'
>

/** Gathers a turn's result while it runs. */
export interface TurnRecord {
  completion(completion: Completion): void
  /** What was used beside the turn's own replies: a summary, a sub-agent. */
  used(usage: Usage | undefined): void
  call(outcome: CallOutcome): void
  error(error: TurnError): void
  calls(): number
  /** The result, with the last word of the wire or the reason that amber ended the turn for. */
  facts(finishReason: string): TurnFacts
}

/** Makes an empty record: the text is the last reply's, the reasoning all of it. */
export function createTurnRecord(): TurnRecord {
  const usage = createUsageSum()
  const calls: TurnResult['toolCalls'][number][] = []
  const errors: TurnError[] = []
  let text = ''
  let reasoning = ''
  return {
    completion({ message, usage: used }) {
      usage.add(used)
      text = message.text
      if (message.reasoning) reasoning += (reasoning === '' ? '' : '\n\n') + message.reasoning
    },
    used: (spent) => usage.add(spent),
    call({ id, name, plugin, arguments: args, ok, durationMs }) {
      calls.push({
        id,
        name,
        plugin: plugin ?? null,
        arguments: args,
        ok,
        durationMs: Math.round(durationMs),
      })
    },
    error: (error) => errors.push(error),
    calls: () => calls.length,
    facts: (finishReason) => ({
      text,
      ...(reasoning === '' ? {} : { reasoning }),
      finishReason,
      usage: usage.total(),
      toolCalls: calls,
      errors,
    }),
  }
}
