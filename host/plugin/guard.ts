import { AsyncLocalStorage } from 'node:async_hooks'
import type { Diagnostic } from '../../manifests/diagnostic.ts'
import { isDeclined } from '../../sdk/index.ts'
import type { Clock } from '../base/clock.ts'
import type { Outcome, PluginFault } from '../base/outcome.ts'
import type { Owner } from './owner.ts'
import { diagnoseThrown } from './stack.ts'

/** What bounds one run. */
export interface GuardOptions {
  readonly signal?: AbortSignal
  readonly deadlineMs?: number
}

/**
 * The one place that calls plugin code: every throw, rejection and missed deadline becomes a fault with owner, label
 * and the author's own line (architecture 2). It never throws and never rejects.
 */
export interface Guard {
  run<Value>(
    owner: Owner,
    label: string,
    use: () => Value | Promise<Value>,
    options?: GuardOptions,
  ): Promise<Outcome<Value>>
  /** For code that must answer at once: renders, subscriptions, disposal. */
  runNow<Value>(owner: Owner, label: string, use: () => Value): Outcome<Value>
  /** Whose code runs now, or started what runs now: how a stray exception without a useful stack finds its owner. */
  ownerNow(): Owner | undefined
  /** Turns something already thrown into a fault. */
  fault(owner: Owner, label: string, reason: PluginFault['reason'], thrown: unknown): Outcome<never>
}

/** Makes a guard on a clock. */
export function createGuard(clock: Clock): Guard {
  const context = new AsyncLocalStorage<Owner>()
  // Following a context costs every promise of the process a little; amber's own plugins are held by its tests.
  const within = <Value>(owner: Owner, use: () => Value): Value =>
    owner.source === 'bundled' ? use() : context.run(owner, use)
  const fault: Guard['fault'] = (owner, label, reason, thrown) => ({
    kind: 'fault',
    fault: { plugin: owner.plugin, label, reason, diagnostic: diagnoseThrown(owner, label, thrown) },
  })
  const finish = <Value>(value: Value): Outcome<Value> =>
    isDeclined(value) ? { kind: 'declined', why: value.why } : { kind: 'value', value }

  return {
    fault,
    ownerNow: () => context.getStore(),
    runNow(owner, label, use) {
      try {
        return finish(within(owner, use))
      } catch (thrown) {
        return fault(owner, label, 'threw', thrown)
      }
    },
    async run(owner, label, use, options = {}) {
      const late = limit(clock, options, {
        deadline: () => fault(owner, label, 'deadline', `did not finish within ${options.deadlineMs} ms`),
        cancelled: () => fault(owner, label, 'cancelled', 'was cancelled'),
      })
      const work = (async () => finish(await within(owner, use)))().catch((thrown: unknown) =>
        fault(owner, label, 'threw', thrown),
      )
      try {
        return await (late ? Promise.race([work, late.promise]) : work)
      } finally {
        late?.dispose()
      }
    },
  }
}

function limit(
  clock: Clock,
  options: GuardOptions,
  outcomes: { readonly deadline: () => Outcome<never>; readonly cancelled: () => Outcome<never> },
): { readonly promise: Promise<Outcome<never>>; dispose(): void } | undefined {
  const { signal, deadlineMs } = options
  if (!signal && deadlineMs === undefined) return undefined
  let dispose = () => {}
  const promise = new Promise<Outcome<never>>((resolve) => {
    const cancelled = () => resolve(outcomes.cancelled())
    if (signal?.aborted) cancelled()
    signal?.addEventListener('abort', cancelled, { once: true })
    const stop =
      deadlineMs === undefined ? undefined : clock.after(deadlineMs, () => resolve(outcomes.deadline()))
    dispose = () => {
      signal?.removeEventListener('abort', cancelled)
      stop?.()
    }
  })
  return { promise, dispose }
}

/** A finding about a plugin's running code, for places that have no thrown value to show. */
export function diagnose(owner: Owner, message: string, hint?: string): Diagnostic {
  return {
    severity: 'error',
    code: 'AMB4001',
    file: owner.manifestFile,
    line: 1,
    column: 1,
    path: '',
    message,
    ...(hint === undefined ? {} : { hint }),
  }
}
