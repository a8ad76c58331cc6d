import { join } from 'node:path'
import type { Diagnostic } from '../../manifests/diagnostic.ts'
import type { Manifest } from '../../manifests/manifest.ts'
import { isPluginDefinition, isRecord, type PluginDefinition } from '../../sdk/index.ts'
import type { Clock } from '../base/clock.ts'
import type { Outcome, PluginFault } from '../base/outcome.ts'
import { isPromise } from '../base/values.ts'
import type { CodeVersion, RawEntry, RunOptions } from '../registry/contribution.ts'
import { evaluate } from './evaluate.ts'
import type { Fingerprint } from './fingerprint.ts'
import type { Guard } from './guard.ts'
import { Offers } from './offers.ts'
import { createOwnedGlobals } from './owned-globals.ts'
import { createOwnedRequire } from './owned-modules.ts'
import type { Owner } from './owner.ts'
import { createPluginHost, type HostDoors } from './plugin-host.ts'
import { type Handover, Retirement } from './retirement.ts'
import { Scope } from './scope.ts'

/** A bundle to run. `inputs` are the files that it was made of, with the bytes that went into it. */
export interface Bundle {
  readonly code: string
  readonly hash: string
  readonly inputs: Fingerprint
}

/** A bundle, or why there is none. */
export type LoadedBundle =
  | { readonly ok: true; readonly bundle: Bundle }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] }

/** What an activation is made from. */
export interface ActivationRequest {
  readonly owner: Owner
  readonly generation: number
  /** The manifest that this version is of. */
  readonly manifest: Manifest
  /** For load, activation and disposal, milliseconds. */
  readonly timeoutMs: number
  /** Gets the bundle at first need (MAN-3). */
  readonly bundle: () => Promise<LoadedBundle>
  /** Is told once how the start ended, before anyone who waited for it goes on. */
  readonly onStarted?: (outcome: Outcome<RawEntry>) => void
  /** Is told of a group of tools that the running version offered or took back. */
  readonly onOffered?: (activation: Activation, group: string) => void
  /** What the version before left (SWAP-5). */
  readonly handover?: Handover
}

/** What an activation needs of its surroundings. */
export interface ActivationDeps {
  readonly clock: Clock
  readonly guard: Guard
  readonly doors: HostDoors
  /** Every fault passes here once. */
  readonly report: (fault: PluginFault) => void
}

/**
 * One evaluated version of a plugin's code: loaded at first need, leased by each call, retired once, disposed of when
 * its last call ends (SWAP-4). A change of data alone keeps it.
 */
export class Activation {
  readonly request: ActivationRequest
  readonly scope: Scope
  /** Tools that it contributes while it runs. */
  readonly offers: Offers
  readonly #deps: ActivationDeps
  readonly #retirement: Retirement
  #starting: Promise<Outcome<RawEntry>> | undefined
  #entry: RawEntry | undefined
  #bundle: Bundle | undefined
  #handover: Handover | undefined
  #missedHandover = false
  #factoryRuns = false
  #startedAt: number | undefined
  #loadMs: number | undefined

  constructor(deps: ActivationDeps, request: ActivationRequest) {
    this.#deps = deps
    this.request = request
    this.#handover = request.handover
    this.scope = new Scope((label, thrown) =>
      this.#tell(deps.guard.fault(request.owner, label, 'threw', thrown)),
    )
    this.#retirement = new Retirement(deps, request.owner, this.scope)
    this.offers = new Offers(request.manifest, (group) => {
      if (this.scope.phase === 'live') request.onOffered?.(this, group)
    })
  }

  /** The finished entry, once it is loaded. */
  get entry(): RawEntry | undefined {
    return this.#entry
  }

  /** The bundle that runs, once it is known. */
  get bundle(): Bundle | undefined {
    return this.#bundle
  }

  /** What loading, evaluating and the factory took, in milliseconds; undefined while it is not loaded. */
  get loadMs(): number | undefined {
    return this.#loadMs
  }

  /** Whether the factory looked for `host.handedOver` and found nothing: it would want to run again. */
  get missedHandover(): boolean {
    return this.#missedHandover
  }

  /** Loads, evaluates and runs the factory, once; later calls answer the same. Never rejects. */
  start(): Promise<Outcome<RawEntry>> {
    this.#starting ??= this.#load().then((outcome) => {
      this.request.onStarted?.(outcome)
      return outcome
    })
    return this.#starting
  }

  async #load(): Promise<Outcome<RawEntry>> {
    this.#startedAt = this.#deps.clock.monotonic()
    const loaded = await this.request.bundle()
    if (loaded.ok) return this.#begin(loaded.bundle)
    const [diagnostic] = loaded.diagnostics
    const outcome = this.#deps.guard.fault(
      this.request.owner,
      'load',
      'threw',
      diagnostic?.message ?? 'no bundle',
    )
    if (outcome.kind === 'fault' && diagnostic)
      return this.#tell({ ...outcome, fault: { ...outcome.fault, diagnostic } })
    return this.#tell(outcome)
  }

  /** Evaluates a bundle at hand at once; answers a promise only when the factory does. */
  startNow(bundle: Bundle): Outcome<RawEntry> | Promise<Outcome<RawEntry>> {
    const outcome = this.#begin(bundle)
    this.#starting = Promise.resolve(outcome)
    return outcome
  }

  /** Runs a use of the entry under a lease: this version is not disposed of before it ends (SWAP-4). */
  async run<Value>(
    label: string,
    use: (entry: RawEntry, version: CodeVersion) => Value | Promise<Value>,
    options: RunOptions = {},
  ): Promise<Outcome<Value>> {
    const { guard } = this.#deps
    const { owner } = this.request
    const release = this.#retirement.lease()
    if (!release) return guard.fault(owner, label, 'retired', 'this version of the plugin is retired')
    try {
      const started = await this.start()
      if (started.kind !== 'value') return started
      return this.#tell(
        await guard.run(owner, label, () => use(this.offers.mergeInto(started.value), this.scope), options),
      )
    } finally {
      release()
    }
  }

  /** Runs a pure render now; undefined while the code loads. */
  render<Value>(label: string, use: (entry: RawEntry) => Value): Outcome<Value> | undefined {
    const entry = this.#entry
    if (this.#retirement.begun) return undefined
    if (entry === undefined) {
      void this.start()
      return undefined
    }
    return this.#tell(
      this.#deps.guard.runNow(this.request.owner, label, () => use(this.offers.mergeInto(entry))),
    )
  }

  /** Begins what was staged. Synchronous: part of the commit. */
  goLive(): void {
    this.scope.goLive()
    for (const { group } of this.offers.list()) this.request.onOffered?.(this, group)
  }

  /** Gives what an old version left; code that looks later finds it (SWAP-5). */
  receive(handover: Handover): void {
    this.#handover = handover
  }

  /** Takes no new calls, drains, disposes: see {@link Retirement.begin}. */
  retire(
    reason: 'reload' | 'disable' | 'crash' | 'shutdown',
    onDone?: (handover: Handover | undefined) => void,
  ): void {
    this.#retirement.begin(reason, this.#entry, (handover) => {
      this.#entry = undefined
      onDone?.(handover)
    })
  }

  #begin(bundle: Bundle): Outcome<RawEntry> | Promise<Outcome<RawEntry>> {
    const { guard } = this.#deps
    const { owner, timeoutMs } = this.request
    this.#bundle = bundle
    this.#startedAt ??= this.#deps.clock.monotonic()
    const evaluated = guard.runNow(owner, 'load', () => this.#evaluate(bundle.code))
    if (evaluated.kind !== 'value') return this.#tell(evaluated)
    const host = createPluginHost(this.#deps.doors, {
      owner,
      generation: this.request.generation,
      scope: this.scope,
      fence: this.#fence,
      handedOver: () => this.#lookForHandover(),
      // A retired handle is inert (architecture 3, rule 4).
      offerTools: (group, tools) => (this.#retirement.begun ? () => {} : this.offers.set(group, tools)),
    })
    this.#factoryRuns = true
    const answered = guard.runNow(owner, 'activation', () => evaluated.value.factory(host))
    if (answered.kind !== 'value') return this.#tell(answered)
    const { value } = answered
    if (!isPromise(value)) return this.#accept(value)
    return guard
      .run(owner, 'activation', () => value, { deadlineMs: timeoutMs, signal: this.scope.signal })
      .then((outcome) => (outcome.kind === 'value' ? this.#accept(outcome.value) : this.#tell(outcome)))
  }

  #evaluate(code: string): PluginDefinition {
    const { folder, plugin } = this.request.owner
    const { doors } = this.#deps
    const log = doors.log(plugin)
    const globals = createOwnedGlobals(this.scope, this.#fence, log)
    const exported = evaluate({
      code,
      path: join(folder, 'plugin.bundle.cjs'),
      require: createOwnedRequire(this.scope, folder, { shared: doors.shared, globals, fence: this.#fence }),
      globals,
      witness: this.scope,
    })
    const definition =
      typeof exported === 'object' && exported !== null ? Reflect.get(exported, 'default') : undefined
    if (isPluginDefinition(definition)) return definition
    if (isPluginDefinition(exported)) return exported
    throw new TypeError('the entry exports no plugin: write `export default definePlugin(…)`')
  }

  #accept(answer: unknown): Outcome<RawEntry> {
    this.#factoryRuns = false
    // Nothing at all is a plugin that only subscribes through the host (L5).
    const entry: RawEntry = isRecord(answer) ? answer : {}
    const subscribed = this.#deps.guard.runNow(this.request.owner, 'activation', () => this.#subscribe(entry))
    if (subscribed.kind === 'fault') return this.#tell(subscribed)
    this.#entry = entry
    this.#loadMs = this.#deps.clock.monotonic() - (this.#startedAt ?? Number.NaN)
    return { kind: 'value', value: entry }
  }

  #subscribe(entry: RawEntry): void {
    const { events } = entry
    if (!isRecord(events)) return
    for (const [name, handler] of Object.entries(events)) {
      if (typeof handler !== 'function') continue
      this.#deps.doors.subscribe(this.request.owner, this.scope, {
        name,
        handler: (event) => Reflect.apply(handler, events, [event]),
      })
    }
  }

  #lookForHandover(): unknown {
    if (this.#factoryRuns && !this.#handover) this.#missedHandover = true
    return this.#handover?.value
  }

  readonly #fence = (label: string, run: () => unknown): void => {
    const outcome = this.#tell(this.#deps.guard.runNow(this.request.owner, label, run))
    if (outcome.kind !== 'value' || !isPromise(outcome.value)) return
    const { value } = outcome
    void this.#deps.guard.run(this.request.owner, label, () => value).then((settled) => this.#tell(settled))
  }

  #tell<Value>(outcome: Outcome<Value>): Outcome<Value> {
    if (outcome.kind === 'fault' && outcome.fault.reason !== 'cancelled') this.#deps.report(outcome.fault)
    return outcome
  }
}
