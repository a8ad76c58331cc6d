/** Figures of a conversation, for the bar; undefined is not known (STA-4). */
export interface Figures {
  /** From the request to the first thing that the model said, in milliseconds. */
  latencyMs: number | undefined
  /** Of the last request. */
  promptTokens: number | undefined
  completionTokens: number | undefined
  /** Tokens a second of the last answer. */
  tps: number | undefined
}

/** Another conversation stands in their place: nothing is known of it yet. */
export function forgetFigures(figures: Figures): void {
  Object.assign(figures, noFigures())
}

/** Nothing is known yet. */
export function noFigures(): Figures {
  return { latencyMs: undefined, promptTokens: undefined, completionTokens: undefined, tps: undefined }
}
