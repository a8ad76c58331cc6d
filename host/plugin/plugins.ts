import { existsSync, realpathSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Diagnostic } from '../../manifests/diagnostic.ts'
import type { LedgerEntry, PluginSource } from '../registry/contribution.ts'
import { discover, type PluginPlaces } from './discover.ts'
import { isUnchanged } from './fingerprint.ts'
import { takeLateFindings } from './late-findings.ts'
import { createLivePlugin, infoOf, type LivePlugin, manifestFileOf, type PluginInfo } from './live-plugin.ts'
import { placeFindings } from './place-findings.ts'
import type { PluginStates } from './plugin-state.ts'
import { UNTRUSTED } from './plugin-trust.ts'
import { type PrepareDeps, type PreparedVersion, prepare } from './prepare.ts'
import {
  duplicateOf,
  type Registration,
  readManifestFile,
  registerAll,
  unavailableNames,
  unreadableState,
} from './registration.ts'
import { RetiredVersions } from './retired-versions.ts'
import type { Scope } from './scope.ts'
import { comesFrom } from './stack.ts'
import { SwapQueue, type SwapRequest } from './swap-queue.ts'
import { PhaseTimer, type SwapResult } from './swap-result.ts'
import { rememberChoice, unknownPlugin } from './user-choice.ts'

/** A folder whose id another folder has: it waits, without code. */
type Displaced = Pick<LivePlugin, 'id' | 'folder' | 'source' | 'tried'>

/** What the plugins of a host need. */
export interface PluginsDeps extends PrepareDeps {
  readonly states: PluginStates
  /** Ids that this run switches off without remembering it (`--without`). */
  readonly without: ReadonlySet<string>
  /** Where the files are whose presence starts a plugin (`dynamicTools.configFile`). */
  readonly configFolder: string
  readonly publish: (
    event: 'plugin.loaded' | 'plugin.unloaded' | 'plugin.swapped',
    plugin: LivePlugin,
  ) => void
  readonly onDiagnostic: (plugin: string, diagnostic: Diagnostic) => void
}

/** All plugins of a running host, and the only place where one comes, changes or goes. */
export class Plugins {
  readonly #deps: PluginsDeps
  readonly #plugins = new Map<string, LivePlugin>()
  readonly #queue: SwapQueue<SwapResult>
  readonly #retired: RetiredVersions
  /** Folders whose id another folder has, weakest first. */
  #displaced: readonly Displaced[] = []

  constructor(deps: PluginsDeps) {
    this.#deps = deps
    this.#retired = new RetiredVersions(deps)
    this.#queue = new SwapQueue((id, request) => this.#swap(id, request))
  }

  /** Finds and registers everything, in registration order, with one commit. Loads no code but that of start-up plugins. */
  async start(places: PluginPlaces, options: { readonly activate: boolean }): Promise<readonly Diagnostic[]> {
    const found = discover(places)
    const registration = await registerAll(this.#deps, found.folders, {
      started: (plugin, outcome) => takeLateFindings(this.#deps, plugin, outcome),
    })
    for (const plugin of registration.plugins) this.#plugins.set(plugin.id, plugin)
    this.#displaced = registration.displaced
    this.#deps.ledger.commit({ set: registration.records })
    const diagnostics = [...found.diagnostics, ...registration.diagnostics]
    for (const one of registration.plugins)
      if (one.state === 'active' || one.state === 'degraded') this.#goLive(one, 'plugin.loaded')
    if (options.activate) await this.#activateStartup(registration)
    return diagnostics
  }

  /** Every plugin, by id. */
  list(): readonly PluginInfo[] {
    return [...this.#plugins.values()]
      .map((one) => infoOf(one, this.#entriesOf(one.id)))
      .sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  /** One plugin; undefined when there is none of that id. */
  info(id: string): PluginInfo | undefined {
    const plugin = this.#plugins.get(id)
    return plugin && infoOf(plugin, this.#entriesOf(id))
  }

  /** The files that the plugin's newest state is made of, absolute: what to watch (SWAP-7). */
  inputs(id: string): readonly string[] {
    return [...(this.#plugins.get(id)?.tried.keys() ?? [])]
  }

  /** What every function of the plugin's present code holds, weakly: for the check that a retired version goes (SWAP-9). */
  witness(id: string): WeakRef<Scope> | undefined {
    const scope = this.#plugins.get(id)?.code?.current.scope
    return scope && new WeakRef(scope)
  }

  /** Swaps in the newest state of the plugin's files. `fresh` builds and evaluates even when no byte changed. */
  swap(id: string, options: { readonly fresh?: boolean } = {}): Promise<SwapResult> {
    return this.#queue.request(id, options.fresh)
  }

  /** Adds the plugin of a folder, or swaps it when it is known. */
  async offer(folder: string, source: PluginSource): Promise<SwapResult> {
    const real = existsSync(folder) ? realpathSync(folder) : folder
    const known = [...this.#plugins.values()].find((one) => one.folder === real)
    if (known) return this.swap(known.id)
    const displaced = this.#displaced.find((one) => one.folder === real)
    // A touch that saved nothing does not make it the one saved last (LED-5).
    if (displaced && isUnchanged(displaced.tried)) return { kind: 'unchanged', plugin: displaced.id }
    const { manifest } = await readManifestFile(this.#deps.reader, manifestFileOf({ folder: real }))
    const id = manifest?.id ?? basename(real)
    const refused = await this.#queue.exclusive(async () => this.#enter(createLivePlugin(id, real, source)))
    return refused ?? this.swap(id, { fresh: true })
  }

  /** Takes a plugin out, because its folder is gone (SWAP-8). */
  remove(id: string): Promise<SwapResult> {
    return this.#queue.exclusive(() => this.#remove(id))
  }

  /** Switches a plugin on, at once and for good (LED-8). Rejects with an AmberError when there is none of that id. */
  async enable(id: string): Promise<SwapResult> {
    const plugin = this.#require(id)
    await rememberChoice(this.#deps.states, id, true)
    plugin.enabled = true
    return this.swap(id, { fresh: true })
  }

  /** Switches a plugin off, at once and for good (LED-8). Rejects with an AmberError when there is none of that id. */
  async disable(id: string): Promise<SwapResult> {
    const plugin = this.#require(id)
    await rememberChoice(this.#deps.states, id, false)
    return this.#queue.exclusive(async () => {
      this.#switchOff(plugin)
      return { kind: 'removed', plugin: id }
    })
  }

  /** Takes over what another host switched on or off (LED-8); costs one `stat` when nothing was. */
  async followStates(): Promise<void> {
    if (!this.#deps.states.changed()) return
    for (const plugin of this.#plugins.values()) {
      if (this.#deps.without.has(plugin.id)) continue
      const { enabled, problems } = await this.#deps.states.read(plugin.id)
      if (enabled === plugin.enabled) continue
      plugin.enabled = enabled
      if (enabled) await this.swap(plugin.id, { fresh: true })
      else await this.#queue.exclusive(async () => this.#switchOff(plugin, problems))
    }
  }

  /** The plugin whose code a stray exception came from, if any. */
  claimStray(thrown: unknown): string | undefined {
    for (const plugin of this.#plugins.values()) if (comesFrom(thrown, plugin.folder)) return plugin.id
    return undefined
  }

  /** Retires every plugin, last come first gone, and waits for their disposal. Never rejects. */
  async shutdown(): Promise<void> {
    await this.#queue.idle()
    for (const plugin of [...this.#plugins.values()].reverse()) this.#retired.retire(plugin, 'shutdown')
    this.#deps.ledger.commit({ remove: [...this.#plugins.keys()] })
    await this.#retired.settled()
  }

  async #swap(id: string, request: SwapRequest): Promise<SwapResult> {
    const plugin = this.#plugins.get(id)
    if (!plugin) return { kind: 'removed', plugin: id }
    if (!plugin.enabled) return { kind: 'unchanged', plugin: id }
    const timer = new PhaseTimer(() => this.#deps.clock.monotonic())
    const prepared = await prepare(this.#deps, plugin, { fresh: request.fresh, timer })
    if (prepared.kind === 'gone') return this.#remove(id)
    if (prepared.kind === 'renamed') return this.#rename(plugin, prepared.id)
    const wasBroken = plugin.diagnostics.some((one) => one.severity === 'error')
    plugin.tried = prepared.tried
    if (prepared.kind === 'unchanged') return { kind: 'unchanged', plugin: id }
    plugin.diagnostics = prepared.diagnostics
    if (prepared.kind === 'rejected') return this.#reject(plugin, timer, prepared.diagnostics)
    const { version, diagnostics } = prepared
    const changes = version.plan.changes
    const changed =
      changes.length > 0 ||
      version.code !== plugin.code ||
      JSON.stringify(version.manifest) !== JSON.stringify(plugin.manifest)
    if (!changed && !wasBroken) return { kind: 'unchanged', plugin: id }
    timer.begin('commit')
    if (plugin.state === 'active') plugin.reason = undefined
    if (changed) this.#commit(plugin, version)
    const { phases, totalMs } = timer.end()
    return {
      kind: 'swapped',
      plugin: id,
      generation: plugin.generation,
      changed: changes,
      phases,
      totalMs,
      diagnostics,
    }
  }

  #reject(plugin: LivePlugin, timer: PhaseTimer, diagnostics: readonly Diagnostic[]): SwapResult {
    const message = diagnostics.find((one) => one.severity === 'error')?.message ?? 'rejected'
    if (plugin.generation === 0) {
      const untrusted = diagnostics.some((one) => one.code === UNTRUSTED)
      plugin.state = untrusted ? 'discovered' : timer.phase === 'validate' ? 'invalid' : 'failed'
      plugin.reason = message
    } else plugin.reason = `the newest state was rejected: ${message}`
    return { kind: 'rejected', plugin: plugin.id, phase: timer.phase, diagnostics }
  }

  /** One synchronous step: the pointer moves, what was staged begins, the old version is retired (SWAP-2, SWAP-3). */
  #commit(plugin: LivePlugin, version: PreparedVersion): void {
    const old = plugin.code
    const first = plugin.generation === 0
    plugin.manifest = version.manifest
    plugin.code = version.code
    plugin.generation = version.generation
    plugin.state = version.plan.record.contributions.some((one) => one.status === 'failed')
      ? 'degraded'
      : 'active'
    plugin.reason = undefined
    this.#deps.ledger.commit({ set: [version.plan.record] })
    if (old && old !== version.code) this.#retired.retireFor(old.current, plugin, version)
    this.#goLive(plugin, first ? 'plugin.loaded' : 'plugin.swapped')
  }

  #goLive(plugin: LivePlugin, event: 'plugin.loaded' | 'plugin.swapped'): void {
    plugin.code?.current.goLive()
    this.#deps.publish(event, plugin)
  }

  async #rename(plugin: LivePlugin, id: string): Promise<SwapResult> {
    this.#take(plugin)
    const refused = this.#enter(createLivePlugin(id, plugin.folder, plugin.source))
    return refused ?? this.#swap(id, { fresh: true })
  }

  /** Makes a folder the one of its id, by the rule of LED-5; the answer is why not. */
  #enter(newcomer: LivePlugin): SwapResult | undefined {
    const { id, folder, source } = newcomer
    const holder = this.#plugins.get(id)
    this.#displaced = this.#displaced.filter((one) => one.folder !== folder)
    if (holder && source !== 'flag') {
      this.#displaced = [newcomer, ...this.#displaced]
      return { kind: 'rejected', plugin: id, phase: 'validate', diagnostics: [duplicateOf(newcomer, holder)] }
    }
    if (holder) {
      this.#retirePlugin(holder)
      const { tried } = holder
      this.#displaced = [...this.#displaced, { id, folder: holder.folder, source: holder.source, tried }]
      void this.#tellDisplaced(holder, newcomer)
    }
    this.#plugins.set(id, newcomer)
    return undefined
  }

  /** Whoever works on the other folder would look for the change in vain. */
  async #tellDisplaced(loser: LivePlugin, winner: Pick<LivePlugin, 'folder' | 'source'>): Promise<void> {
    const found = duplicateOf(loser, winner)
    const [placed = found] = await placeFindings([found], { folder: loser.folder, inputs: [] })
    this.#deps.onDiagnostic(loser.id, placed)
  }

  async #remove(id: string): Promise<SwapResult> {
    const plugin = this.#plugins.get(id)
    if (plugin) this.#take(plugin)
    return { kind: 'removed', plugin: id }
  }

  /** Takes a plugin out; a folder that it had displaced returns in its place. */
  #take(plugin: LivePlugin): void {
    this.#retirePlugin(plugin)
    const next = this.#displaced.findLast((one) => one.id === plugin.id && existsSync(manifestFileOf(one)))
    if (!next) return
    this.#displaced = this.#displaced.filter((one) => one !== next)
    this.#plugins.set(next.id, createLivePlugin(next.id, next.folder, next.source))
    void this.swap(next.id, { fresh: true })
  }

  #retirePlugin(plugin: LivePlugin): void {
    this.#plugins.delete(plugin.id)
    this.#deps.ledger.commit({ remove: [plugin.id] })
    this.#retired.retire(plugin, 'disable')
    this.#deps.publish('plugin.unloaded', plugin)
  }

  #switchOff(plugin: LivePlugin, problems: readonly Diagnostic[] = []): void {
    plugin.enabled = false
    plugin.state = 'disabled'
    plugin.reason = unreadableState(problems)
    if (problems.length > 0) plugin.diagnostics = problems
    for (const one of problems) this.#deps.onDiagnostic(plugin.id, one)
    const unavailable = plugin.manifest ? unavailableNames(plugin.manifest) : new Map()
    this.#deps.ledger.commit({
      set: [{ plugin: plugin.id, source: plugin.source, contributions: [], unavailable }],
    })
    this.#retired.retire(plugin, 'disable')
    plugin.tried = new Map()
    this.#deps.publish('plugin.unloaded', plugin)
  }

  async #activateStartup(registration: Registration): Promise<void> {
    const eager = registration.plugins.filter((one) => one.code && this.#startsWithHost(one))
    await Promise.all(eager.map((one) => one.code?.current.start()))
  }

  /** Activated at start-up, or with tools that a file in the config folder says (MCP-1). */
  #startsWithHost({ manifest }: LivePlugin): boolean {
    const file = manifest?.dynamicTools?.configFile
    if (manifest?.activation === 'startup') return true
    return file !== undefined && existsSync(join(this.#deps.configFolder, file))
  }

  #entriesOf(id: string): readonly LedgerEntry[] {
    return this.#deps.ledger.snapshot().ledger.filter((one) => one.plugin === id)
  }

  #require(id: string): LivePlugin {
    const plugin = this.#plugins.get(id)
    if (plugin) return plugin
    throw unknownPlugin(id, [...this.#plugins.keys()])
  }
}
