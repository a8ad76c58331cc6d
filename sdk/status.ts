/** A tone of the status bar (contract STA-1). */
export type StatusTone = 'dim' | 'good' | 'warn' | 'crit' | 'accent' | 'banner'

/** What a segment shows; an empty text shows nothing. */
export interface StatusText {
  readonly text: string
  readonly tone: StatusTone
}

/** The moment that a segment renders from (STA-4). Unknown numbers are undefined, never 0. */
export interface StatusSnapshot {
  readonly windowIndex: number
  readonly windowCount: number
  readonly model: string
  readonly reasoningEffort: string
  readonly mode: 'read' | 'write' | 'yolo'
  readonly scrollMode: boolean
  readonly latencyMs: number | undefined
  readonly promptTokens: number | undefined
  readonly completionTokens: number | undefined
  readonly tps: number | undefined
  readonly runningJobs: number
  readonly jobSecondsLeft: number | undefined
  readonly runningTool: string
  readonly mcpServers: readonly {
    readonly name: string
    readonly connected: boolean
    readonly hasError: boolean
  }[]
  /** Milliseconds since 1970, the same for every segment of a frame. */
  readonly now: number
}

/** A pure read of the snapshot and of the plugin's own state (STA-3). */
export type StatusSegmentRender = (snapshot: StatusSnapshot) => StatusText
