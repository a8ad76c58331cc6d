/** What was counted since amber started. Times in milliseconds. Plain data: it is handed from version to version. */
export interface Tally {
  turnsStarted: number
  turnsEnded: number
  turnMs: number
  toolsRequested: number
  toolsCompleted: number
  toolsFailed: number
  toolMs: number
}

const FIELDS = [
  'turnsStarted',
  'turnsEnded',
  'turnMs',
  'toolsRequested',
  'toolsCompleted',
  'toolsFailed',
  'toolMs',
] as const

/** Takes up what an earlier version counted; anything that is not a count starts at 0. */
export function continueTally(handedOver: unknown): Tally {
  const tally = emptyTally()
  if (typeof handedOver !== 'object' || handedOver === null) return tally
  for (const field of FIELDS) {
    const value: unknown = Reflect.get(handedOver, field)
    if (typeof value === 'number' && Number.isFinite(value)) tally[field] = value
  }
  return tally
}

/** One line for the log. */
export function describeTally(tally: Tally): string {
  return [
    `${tally.turnsEnded} of ${tally.turnsStarted} turns ended, ${seconds(tally.turnMs)} in all`,
    `${tally.toolsCompleted} of ${tally.toolsRequested} tool calls completed, ${tally.toolsFailed} failed, ${seconds(tally.toolMs)} in all`,
  ].join('; ')
}

function emptyTally(): Tally {
  return {
    turnsStarted: 0,
    turnsEnded: 0,
    turnMs: 0,
    toolsRequested: 0,
    toolsCompleted: 0,
    toolsFailed: 0,
    toolMs: 0,
  }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
