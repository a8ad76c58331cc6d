import type { Manifest } from '../../manifests/manifest.ts'
import type { Outcome } from '../base/outcome.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Kind, PluginCode, RawEntry } from '../registry/contribution.ts'
import { Activation, type ActivationDeps, type Bundle, type LoadedBundle } from './activation.ts'
import type { BuildStore } from './build-store.ts'
import { buildConsistently } from './consistent-build.ts'
import { hashOf } from './content-hash.ts'
import { type CodeRef, createContributionCode } from './contribution-code.ts'
import { type EntryFindings, inspectEntry } from './entry-findings.ts'
import { type LivePlugin, manifestFileOf, ownerOf } from './live-plugin.ts'
import { type Plan, type PlanInput, planOffer, planPlugin } from './plan.ts'
import { bundleTrustProblem, type TrustDeps } from './plugin-trust.ts'
import type { Handover } from './retirement.ts'
import { withdraw } from './withdraw.ts'

/** What making versions of plugins needs. */
export interface VersionDeps extends ActivationDeps, TrustDeps {
  readonly ledger: Ledger
  readonly builds: BuildStore
  readonly amberVersion: string
}

/** One version of one plugin, before it is live: what it is made from. */
export interface VersionRequest {
  readonly plugin: LivePlugin
  readonly manifest: Manifest
  readonly generation: number
  readonly code: CodeRef | undefined
  readonly dataHashes: ReadonlyMap<string, string>
  readonly findings: EntryFindings | undefined
  /** Owners of names that are planned but not committed yet. */
  readonly planned?: ReadonlyMap<string, string>
}

/** What a start-up learns later of a lazily activated plugin. */
export interface LazyWatch {
  started(plugin: LivePlugin, outcome: Outcome<RawEntry>): void
}

/** Names a build: the same entry built the same way (MAN-6: another amber may build otherwise). */
export function buildKeyOf(deps: Pick<VersionDeps, 'amberVersion'>, manifest: Manifest): string {
  return hashOf(JSON.stringify([deps.amberVersion, manifest.entry, manifest.external]))
}

/** An activation that finds or builds its bundle when it is first needed (MAN-3). */
export function createLazyActivation(
  deps: VersionDeps,
  plugin: LivePlugin,
  options: { readonly manifest: Manifest; readonly generation: number; readonly watch: LazyWatch },
): Activation {
  const { manifest, generation, watch } = options
  return new Activation(deps, {
    owner: ownerOf(plugin, manifest.entry),
    generation,
    manifest,
    onOffered: (activation, group) => takeOffer(deps, plugin, activation, group),
    timeoutMs: manifest.activationTimeoutMs,
    bundle: () => trustedBundle(deps, plugin, manifest),
    onStarted: (outcome) => watch.started(plugin, outcome),
  })
}

/** An activation of a bundle at hand. */
export function createActivation(
  deps: VersionDeps,
  plugin: LivePlugin,
  options: {
    readonly manifest: Manifest
    readonly generation: number
    readonly bundle: Bundle
    readonly handover?: Handover
  },
): Activation {
  return new Activation(deps, {
    owner: ownerOf(plugin, options.manifest.entry),
    generation: options.generation,
    manifest: options.manifest,
    onOffered: (activation, group) => takeOffer(deps, plugin, activation, group),
    timeoutMs: options.manifest.activationTimeoutMs,
    bundle: async () => ({ ok: true, bundle: options.bundle }),
    ...(options.handover === undefined ? {} : { handover: options.handover }),
  })
}

/** The bundle, unless it is made of bytes that nobody trusted (SAFE-4). */
async function trustedBundle(
  deps: VersionDeps,
  plugin: LivePlugin,
  manifest: Manifest,
): Promise<LoadedBundle> {
  const loaded = await findOrBuild(deps, plugin, manifest)
  const problem = loaded.ok ? await bundleTrustProblem(deps, plugin, loaded.bundle) : undefined
  return problem === undefined ? loaded : { ok: false, diagnostics: [problem] }
}

async function findOrBuild(deps: VersionDeps, plugin: LivePlugin, manifest: Manifest): Promise<LoadedBundle> {
  const key = buildKeyOf(deps, manifest)
  const kept = await deps.builds.find(plugin.folder, key)
  if (kept) return { ok: true, bundle: kept }
  const built = await buildConsistently(buildRequestOf(plugin, manifest), [])
  if (!built.ok) return { ok: false, diagnostics: built.diagnostics }
  await deps.builds.keep(plugin.folder, key, built.bundle)
  return { ok: true, bundle: built.bundle }
}

/** What esbuild is asked for. */
export function buildRequestOf(plugin: LivePlugin, manifest: Manifest) {
  return {
    folder: plugin.folder,
    entry: manifest.entry ?? '',
    external: manifest.external,
    manifestFile: manifestFileOf(plugin),
  }
}

/** Plans a version against what is installed. Touches nothing live. */
export function planVersion(deps: VersionDeps, request: VersionRequest): Plan {
  return planPlugin(planInput(deps, request))
}

function planInput(deps: VersionDeps, request: VersionRequest): PlanInput {
  const { plugin, manifest, code } = request
  return {
    manifest,
    manifestFile: manifestFileOf(plugin),
    folder: plugin.folder,
    source: plugin.source,
    generation: request.generation,
    codeKey: code?.key ?? '',
    offers: code?.current.offers.list() ?? [],
    dataHashes: request.dataHashes,
    previous: deps.ledger.record(plugin.id),
    findings: request.findings,
    ownerOf: (claim) => request.planned?.get(claim) ?? deps.ledger.ownerOf(claim),
    hasService: (name) => deps.doors.services[name as keyof typeof deps.doors.services] !== undefined,
    codeFor: (kind, name) =>
      code
        ? contributionCode(deps, plugin, { ref: code, kind, name })
        : dataCode(deps, plugin, { manifest, generation: request.generation, kind, name }),
    dataCodeFor: (kind, name) =>
      dataCode(deps, plugin, { manifest, generation: request.generation, kind, name }),
  }
}

/** Its closures stand in a function of their own: they hold nothing of a plan. */
function contributionCode(
  deps: VersionDeps,
  plugin: LivePlugin,
  { ref, kind, name }: { readonly ref: CodeRef; readonly kind: Kind; readonly name: string },
): PluginCode {
  return createContributionCode(ref, `${kind} ${name}`, {
    declined: (why) => withdraw(deps, plugin, { kind, name, status: 'declined', reason: why }),
    parked: (reason) => withdraw(deps, plugin, { kind, name, status: 'failed', reason }),
  })
}

function dataCode(
  deps: VersionDeps,
  plugin: LivePlugin,
  data: Pick<VersionRequest, 'generation' | 'manifest'> & { readonly kind: Kind; readonly name: string },
): PluginCode {
  const ref = { current: createDataOnlyActivation(deps, plugin, data), key: '' }
  return contributionCode(deps, plugin, { ref, kind: data.kind, name: data.name })
}

/**
 * Takes into the ledger what the live version of a plugin offered, or out of it what it took back: one commit for one
 * group, which touches nothing else. A name that another holds fails that group alone (LED-5, LED-6).
 */
export function takeOffer(
  deps: VersionDeps,
  plugin: LivePlugin,
  activation: Activation,
  group: string,
): void {
  const { code, manifest } = plugin
  const record = deps.ledger.record(plugin.id)
  if (code?.current !== activation || !manifest || !record) return
  const offer = activation.offers.list().find((one) => one.group === group)
  const { generation } = plugin
  const request = { plugin, manifest, generation, code, dataHashes: new Map(), findings: undefined }
  const planned = planOffer(planInput(deps, request), record, { group, offer })
  if (planned === record) return
  deps.ledger.commit({ set: [planned] })
  const failed = planned.contributions.find((one) => one.name === group && one.status === 'failed')
  if (failed && plugin.state === 'active') {
    plugin.state = 'degraded'
    plugin.reason = failed.reason
  }
}

/** Data needs no code; should something ask all the same, it is told so. */
function createDataOnlyActivation(
  deps: VersionDeps,
  plugin: LivePlugin,
  { generation, manifest }: Pick<VersionRequest, 'generation' | 'manifest'>,
): Activation {
  return new Activation(deps, {
    owner: ownerOf(plugin),
    generation,
    manifest,
    timeoutMs: 1,
    bundle: async () => ({ ok: false, diagnostics: [] }),
  })
}

/** Holds a started entry against the manifest; reading it runs the author's getters, so it may be a fault. */
export function findingsOf(
  deps: Pick<VersionDeps, 'guard'>,
  plugin: LivePlugin,
  { manifest, entry }: { readonly manifest: Manifest; readonly entry: RawEntry },
): Outcome<EntryFindings> {
  const owner = ownerOf(plugin, manifest.entry)
  return deps.guard.runNow(owner, 'activation', () => inspectEntry(owner, manifest, entry))
}
