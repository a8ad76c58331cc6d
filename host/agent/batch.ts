import type { ToolCallRequest } from '../../sdk/index.ts'

/** How the calls of one reply are run. */
export interface BatchRunner<Outcome> {
  /** What a call may run beside: neighbours of the same word; undefined runs by itself. */
  readonly parallel: (call: ToolCallRequest) => string | undefined
  /** Never rejects. */
  readonly run: (call: ToolCallRequest) => Promise<Outcome>
  /** The answer of a call that never started. */
  readonly skip: (call: ToolCallRequest) => Outcome
}

const MOST_AT_ONCE = 16

/**
 * Runs the calls of one reply: neighbours that only read run together, so do sub-agents, every other one by itself, so that a read
 * after a write sees what was written. A cancel stops before the next call (row B12). Answers in call order.
 */
export async function runBatch<Outcome>(
  calls: readonly ToolCallRequest[],
  runner: BatchRunner<Outcome>,
  signal: AbortSignal,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  for (const group of groups(calls, runner.parallel)) {
    const answers = await Promise.all(
      group.map((call) => (signal.aborted ? runner.skip(call) : runner.run(call))),
    )
    outcomes.push(...answers)
  }
  return outcomes
}

/** Cuts the calls into runs that may be under way at the same time. */
function groups(
  calls: readonly ToolCallRequest[],
  parallel: (call: ToolCallRequest) => string | undefined,
): readonly (readonly ToolCallRequest[])[] {
  const cut: ToolCallRequest[][] = []
  let open: string | undefined
  for (const call of calls) {
    const last = cut.at(-1)
    const together = parallel(call)
    const joins = together !== undefined && together === open
    if (joins && last !== undefined && last.length < MOST_AT_ONCE) last.push(call)
    else cut.push([call])
    open = together
  }
  return cut
}
