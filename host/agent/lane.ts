import type { TurnSink } from './turn.ts'

/** Where a sub-agent shows its work. */
export interface Lane {
  /** The id of the call that started it. */
  readonly id: string
  readonly title: string
}

/**
 * The sink of a lane: the screen's own one where it opens lanes; else its calls stand among the others with the lane's
 * id, its notices are named, and its words are not shown, for its last ones are the call's result.
 */
export function laneSink(sink: TurnSink, lane: Lane): TurnSink {
  const own = sink.openLane?.(lane)
  if (own !== undefined) return own
  const say = (message: string) => sink.notice(`${lane.title}: ${message}`)
  return {
    text() {},
    reasoning() {},
    toolRequested: (call) => sink.toolRequested({ ...call, lane: lane.id }),
    toolCompleted: (call) => sink.toolCompleted({ ...call, lane: lane.id }),
    notice: say,
    error: (error) => say(error.message),
  }
}
