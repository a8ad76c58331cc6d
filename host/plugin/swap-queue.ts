/** What a queued run is asked for. */
export interface SwapRequest {
  /** Build and evaluate even when no byte changed. */
  readonly fresh: boolean
}

/**
 * One queue for all swaps: they never overlap. A request for a plugin whose run has not begun joins that run, since
 * the run takes the newest bytes; one that comes during its run gets a run of its own afterwards, so that no save is
 * lost and none is done twice (SWAP-6).
 */
export class SwapQueue<Result> {
  readonly #run: (key: string, request: SwapRequest) => Promise<Result>
  readonly #waiting = new Map<
    string,
    { readonly asked: { fresh: boolean }; readonly result: Promise<Result> }
  >()
  #tail: Promise<unknown> = Promise.resolve()

  constructor(run: (key: string, request: SwapRequest) => Promise<Result>) {
    this.#run = run
  }

  /** Asks for a run; resolves with the result of the run that took the state as of this call, or a later one. */
  request(key: string, fresh = false): Promise<Result> {
    const waiting = this.#waiting.get(key)
    if (waiting) {
      waiting.asked.fresh ||= fresh
      return waiting.result
    }
    const asked = { fresh }
    const result = this.exclusive(() => {
      this.#waiting.delete(key)
      return this.#run(key, asked)
    })
    this.#waiting.set(key, { asked, result })
    return result
  }

  /** Runs something else between swaps, alone. */
  exclusive<Value>(work: () => Promise<Value>): Promise<Value> {
    const result = this.#tail.then(work)
    this.#tail = result.catch(() => {})
    return result
  }

  /** Resolves when everything asked for so far is done. */
  idle(): Promise<void> {
    return this.#tail.then(() => {})
  }
}
