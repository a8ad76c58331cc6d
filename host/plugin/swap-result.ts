import type { Diagnostic } from '../../manifests/diagnostic.ts'
import type { PlannedChange } from './plan.ts'

/** How long each phase of a swap took, in milliseconds; a phase that did not run is 0 (interfaces 7). */
export interface SwapPhases {
  readonly validate: number
  readonly types: number
  readonly build: number
  readonly load: number
  readonly stage: number
  readonly commit: number
}

/** What came of offering a plugin's newest state to the host (SWAP-2). */
export type SwapResult =
  | { readonly kind: 'unchanged'; readonly plugin: string }
  | {
      readonly kind: 'swapped'
      readonly plugin: string
      readonly generation: number
      readonly changed: readonly PlannedChange[]
      readonly phases: SwapPhases
      readonly totalMs: number
      /** Warnings. */
      readonly diagnostics: readonly Diagnostic[]
    }
  | {
      readonly kind: 'rejected'
      readonly plugin: string
      readonly phase: keyof SwapPhases
      readonly diagnostics: readonly Diagnostic[]
    }
  | { readonly kind: 'removed'; readonly plugin: string }

/** Measures the phases of one swap, one after the other. */
export class PhaseTimer {
  readonly #now: () => number
  readonly #started: number
  readonly #spent = new Map<keyof SwapPhases, number>()
  #last: number
  #phase: keyof SwapPhases = 'validate'

  constructor(now: () => number) {
    this.#now = now
    this.#started = now()
    this.#last = this.#started
  }

  /** The phase that runs now: where a swap that fails here is said to have failed. */
  get phase(): keyof SwapPhases {
    return this.#phase
  }

  /** Ends the running phase and begins another. */
  begin(phase: keyof SwapPhases): void {
    this.#close()
    this.#phase = phase
  }

  /** Ends the last phase and gives the figures, rounded to a hundredth. */
  end(): { readonly phases: SwapPhases; readonly totalMs: number } {
    this.#close()
    const of = (phase: keyof SwapPhases) => round(this.#spent.get(phase) ?? 0)
    return {
      phases: {
        validate: of('validate'),
        types: of('types'),
        build: of('build'),
        load: of('load'),
        stage: of('stage'),
        commit: of('commit'),
      },
      totalMs: round(this.#last - this.#started),
    }
  }

  #close(): void {
    const now = this.#now()
    this.#spent.set(this.#phase, (this.#spent.get(this.#phase) ?? 0) + now - this.#last)
    this.#last = now
  }
}

function round(ms: number): number {
  return Math.round(ms * 100) / 100
}
