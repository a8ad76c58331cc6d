import { type Dispose, once } from '../base/disposable.ts'
import { messageOf } from '../base/errors.ts'

/** Something that a plugin holds and that must be gone when its version is (contract LED-4). */
interface Effect {
  readonly label: string
  /** Begins the effect at commit; absent for one that began when it was made. */
  readonly begin: (() => void) | undefined
  readonly end: () => void
}

/**
 * All effects of one activation of a plugin: subscriptions, timers, children, sockets. Before the commit they are
 * staged, at the commit they begin together, at retirement they end in reverse order (SWAP-2, LED-4).
 */
export class Scope {
  readonly #effects = new Set<Effect>()
  readonly #abort = new AbortController()
  readonly #report: (label: string, thrown: unknown) => void
  #phase: 'staged' | 'live' | 'ended' = 'staged'

  constructor(report: (label: string, thrown: unknown) => void) {
    this.#report = report
  }

  /** Aborted when the version is retired. */
  get signal(): AbortSignal {
    return this.#abort.signal
  }

  get phase(): 'staged' | 'live' | 'ended' {
    return this.#phase
  }

  /** Labels of what is held now, oldest first: for the leak check. */
  held(): readonly string[] {
    return [...this.#effects].map((effect) => effect.label)
  }

  /** Owns an effect that already runs. In an ended scope it is undone at once: a retired handle is inert. */
  own(label: string, end: () => void): Dispose {
    return this.#hold({ label, begin: undefined, end })
  }

  /** Owns an effect that begins when this version goes live, or now if it is live. */
  stage(label: string, begin: () => void, end: () => void): Dispose {
    return this.#hold({ label, begin, end })
  }

  /** Begins everything that was staged. Synchronous: part of the commit. */
  goLive(): void {
    if (this.#phase !== 'staged') return
    this.#phase = 'live'
    for (const effect of this.#effects) this.#attempt(effect.label, effect.begin)
  }

  /** Ends what acts by itself (subscriptions, timers of the host): the next version is live and does it now. */
  quiet(): void {
    for (const effect of [...this.#effects].reverse()) {
      if (effect.begin === undefined) continue
      this.#effects.delete(effect)
      if (this.#phase === 'live') this.#attempt(effect.label, effect.end)
    }
  }

  /** Aborts the signal: whatever of this version still runs is to stop (SWAP-4). */
  abort(): void {
    this.#attempt('abort signal', () => this.#abort.abort())
  }

  /** Ends everything in reverse order. A fault in one does not keep the others. */
  end(): void {
    if (this.#phase === 'ended') return
    const begun = this.#phase === 'live'
    this.#phase = 'ended'
    this.abort()
    for (const effect of [...this.#effects].reverse()) {
      if (begun || effect.begin === undefined) this.#attempt(effect.label, effect.end)
    }
    this.#effects.clear()
  }

  #hold(effect: Effect): Dispose {
    if (this.#phase === 'ended') {
      if (effect.begin === undefined) this.#attempt(effect.label, effect.end)
      return () => {}
    }
    this.#effects.add(effect)
    if (this.#phase === 'live') this.#attempt(effect.label, effect.begin)
    return once(() => {
      if (!this.#effects.delete(effect)) return
      if (effect.begin === undefined || this.#phase === 'live') this.#attempt(effect.label, effect.end)
    })
  }

  #attempt(label: string, run: (() => void) | undefined): void {
    try {
      run?.()
    } catch (thrown) {
      this.#report(`${label}: ${messageOf(thrown)}`, thrown)
    }
  }
}
