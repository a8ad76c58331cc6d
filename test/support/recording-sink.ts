import type { ToolCompleted, ToolRequested, TurnError, TurnSink } from '../../host/agent/turn.ts'

/** A sink that keeps what it was told. */
export interface RecordingSink extends TurnSink {
  readonly texts: readonly string[]
  readonly requested: readonly ToolRequested[]
  readonly completed: readonly ToolCompleted[]
  readonly notices: readonly string[]
  readonly errors: readonly TurnError[]
  readonly progress: readonly string[]
}

/** Makes an empty one. */
export function createRecordingSink(): RecordingSink {
  const texts: string[] = []
  const requested: ToolRequested[] = []
  const completed: ToolCompleted[] = []
  const notices: string[] = []
  const errors: TurnError[] = []
  const progress: string[] = []
  return {
    texts,
    requested,
    completed,
    notices,
    errors,
    progress,
    text: (delta) => texts.push(delta),
    reasoning: () => {},
    toolRequested: (call) => requested.push(call),
    toolCompleted: (call) => completed.push(call),
    toolProgress: (id, text) => progress.push(`${id}: ${text}`),
    notice: (message) => notices.push(message),
    error: (error) => errors.push(error),
  }
}
