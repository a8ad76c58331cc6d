import type { DisposeReason } from '../../sdk/index.ts'
import type { Clock } from '../base/clock.ts'
import type { Outcome, PluginFault } from '../base/outcome.ts'
import { isPromise } from '../base/values.ts'
import type { RawEntry } from '../registry/contribution.ts'
import type { Guard } from './guard.ts'
import type { Owner } from './owner.ts'
import type { Scope } from './scope.ts'

/** What an old version leaves to the next (SWAP-5). */
export interface Handover {
  readonly value: unknown
}

/** What retirement needs of its surroundings. */
export interface RetirementDeps {
  readonly clock: Clock
  readonly guard: Guard
  readonly report: (fault: PluginFault) => void
}

/** How long a retired version's calls may still run (SWAP-4), and its `dispose` may take. Milliseconds. */
const DRAIN_MS = 30_000
const DISPOSE_MS = 2_000

/** The same when amber ends: whoever ignores the abort is left behind (TOOL-7). Milliseconds. */
const LAST_DRAIN_MS = 1_000

/** The end of one version: counts the calls on it, and when the last one ended disposes of everything it holds. */
export class Retirement {
  readonly #deps: RetirementDeps
  readonly #owner: Owner
  readonly #scope: Scope
  #leases = 0
  #finish: (() => void) | undefined
  #begun = false

  constructor(deps: RetirementDeps, owner: Owner, scope: Scope) {
    this.#deps = deps
    this.#owner = owner
    this.#scope = scope
  }

  /** Whether new calls are refused. */
  get begun(): boolean {
    return this.#begun
  }

  /** Takes a lease; the answer gives it back. Undefined once retirement began. */
  lease(): (() => void) | undefined {
    if (this.#begun) return undefined
    this.#leases += 1
    return () => {
      this.#leases -= 1
      if (this.#leases === 0) this.#finish?.()
    }
  }

  /**
   * Takes no new calls; when the last one ended, or after 30 s, aborts the signal, calls `dispose` and ends every
   * effect; its subscriptions and host timers end at once. With no call running and a synchronous `dispose`, all of it happens before this returns.
   */
  begin(
    reason: DisposeReason,
    entry: RawEntry | undefined,
    onDone: (handover: Handover | undefined) => void,
  ): void {
    if (this.#begun) return
    this.#begun = true
    this.#scope.quiet()
    let stopWaiting = () => {}
    this.#finish = () => {
      this.#finish = undefined
      stopWaiting()
      this.#scope.abort()
      this.#dispose(reason, entry, (handover) => {
        this.#scope.end()
        onDone(handover)
      })
    }
    if (this.#leases === 0) this.#finish()
    else {
      if (reason === 'shutdown') this.#scope.abort()
      const ms = reason === 'shutdown' ? LAST_DRAIN_MS : DRAIN_MS
      stopWaiting = this.#deps.clock.after(ms, () => this.#finish?.(), { background: true })
    }
  }

  /** A fault in `dispose` is told, never swallowed (W22); the wait for its promise is bounded. */
  #dispose(
    reason: DisposeReason,
    entry: RawEntry | undefined,
    done: (handover: Handover | undefined) => void,
  ): void {
    const { guard } = this.#deps
    const called = this.#tell(guard.runNow(this.#owner, 'dispose', (): unknown => callDispose(entry, reason)))
    const end = (outcome: Outcome<unknown>) => {
      const read = this.#tell(
        guard.runNow(this.#owner, 'dispose', () =>
          handoverOf(outcome.kind === 'value' ? outcome.value : undefined),
        ),
      )
      done(read.kind === 'value' ? read.value : undefined)
    }
    if (called.kind !== 'value' || !isPromise(called.value)) {
      end(called)
      return
    }
    const { value } = called
    void guard
      .run(this.#owner, 'dispose', () => value, { deadlineMs: DISPOSE_MS })
      .then((outcome) => end(this.#tell(outcome)))
  }

  #tell<Value>(outcome: Outcome<Value>): Outcome<Value> {
    if (outcome.kind === 'fault') this.#deps.report(outcome.fault)
    return outcome
  }
}

function callDispose(entry: RawEntry | undefined, reason: DisposeReason): unknown {
  const dispose = entry?.dispose
  return typeof dispose === 'function' ? Reflect.apply(dispose, entry, [reason]) : undefined
}

function handoverOf(answer: unknown): Handover | undefined {
  if (typeof answer !== 'object' || answer === null || !('handedOver' in answer)) return undefined
  return answer.handedOver === undefined ? undefined : { value: answer.handedOver }
}
