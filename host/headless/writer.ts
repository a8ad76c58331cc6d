import type { TurnResult, TurnSink } from '../agent/turn.ts'

/** Shows a headless turn: a sink while it runs, and its end. */
export interface HeadlessWriter extends TurnSink {
  /** The agent is there; before the turn. */
  begin(session: { readonly id: string | null; readonly provider: string; readonly model: string }): void
  /** The last thing that is written, also of a run that failed before there was a turn. */
  end(result: TurnResult): void
}

/** The forms of `--output` (interfaces 2). */
export const OUTPUT_FORMS = ['text', 'json', 'stream-json'] as const

/** One of {@link OUTPUT_FORMS}. */
export type OutputForm = (typeof OUTPUT_FORMS)[number]
