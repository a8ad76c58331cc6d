import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Diagnostic } from '../../manifests/diagnostic.ts'
import type { Manifest } from '../../manifests/manifest.ts'
import { messageOf } from '../base/errors.ts'
import type { PluginRecord } from '../ledger/record.ts'
import { compareOrder } from '../ledger/record.ts'
import { KIND_ORDER, KINDS } from '../registry/kinds.ts'
import type { UnavailableName } from '../registry/snapshot.ts'
import type { PluginFolder } from './discover.ts'
import { createLivePlugin, type LivePlugin, manifestFileOf } from './live-plugin.ts'
import type { ManifestReader } from './manifest-reader.ts'
import { placeFindings } from './place-findings.ts'
import type { PluginStates } from './plugin-state.ts'
import { trustProblem } from './plugin-trust.ts'
import { createLazyActivation, type LazyWatch, planVersion, type VersionDeps } from './versions.ts'

/** What registering needs. */
export interface RegistrationDeps extends VersionDeps {
  readonly reader: ManifestReader
  readonly states: PluginStates
  readonly without: ReadonlySet<string>
}

/** What registering came to: one record a plugin, for one commit, and everything that is wrong. */
export interface Registration {
  readonly plugins: readonly LivePlugin[]
  /** Folders whose id another folder has: one of them returns when that one leaves. */
  readonly displaced: readonly LivePlugin[]
  readonly records: readonly PluginRecord[]
  readonly diagnostics: readonly Diagnostic[]
}

/** A folder as it was read. */
interface ReadFolder {
  readonly plugin: LivePlugin
  readonly diagnostics: readonly Diagnostic[]
}

/** Registers plugins in order: bundled, user, workspace, `--plugin`, then by id (LED-5). Runs no plugin code. */
export async function registerAll(
  deps: RegistrationDeps,
  folders: readonly PluginFolder[],
  watch: LazyWatch,
): Promise<Registration> {
  const read: ReadFolder[] = []
  for (const folder of folders) read.push(await readFolder(deps, folder))
  const { winners, displaced, losers } = settleIds(read.map((one) => one.plugin))
  const records: PluginRecord[] = []
  const planned = new Map<string, string>()
  const problems: Diagnostic[] = []
  for (const plugin of winners) {
    const state = await deps.states.read(plugin.id)
    plugin.enabled = state.enabled
    plugin.diagnostics = [...plugin.diagnostics, ...state.problems]
    problems.push(...state.problems)
    const before = problems.length
    const record = registerOne(deps, plugin, { planned, problems, watch })
    if (problems.length > before) {
      plugin.diagnostics = await placeFindings(plugin.diagnostics, { folder: plugin.folder, inputs: [] })
      const mine = problems.splice(before)
      problems.push(...(await placeFindings(mine, { folder: plugin.folder, inputs: [] })))
    }
    if (!record) continue
    records.push(record)
    for (const one of record.contributions) for (const claim of one.claims) planned.set(claim, plugin.id)
  }
  const found = read.flatMap((one) => one.diagnostics)
  return { plugins: winners, displaced, records, diagnostics: [...found, ...losers, ...problems] }
}

async function readFolder(deps: RegistrationDeps, { folder, source }: PluginFolder): Promise<ReadFolder> {
  const file = manifestFileOf({ folder })
  const { manifest, diagnostics } = await readManifestFile(deps.reader, file)
  const plugin = createLivePlugin(manifest?.id ?? basename(folder), folder, source)
  plugin.manifest = manifest
  plugin.diagnostics = diagnostics
  if (!manifest) {
    plugin.state = 'invalid'
    plugin.reason = diagnostics.find((one) => one.severity === 'error')?.message ?? 'the manifest is invalid'
    return { plugin, diagnostics }
  }
  const untrusted = await trustProblem(deps, plugin)
  // No error of the plugin's: it stays discovered until the user trusts it (SAFE-4).
  if (untrusted !== undefined) plugin.reason = untrusted.message
  return { plugin, diagnostics }
}

/** Reads one manifest; the fast way when there is nothing to say about it. */
export async function readManifestFile(
  reader: ManifestReader,
  file: string,
): Promise<{ readonly manifest?: Manifest; readonly diagnostics: readonly Diagnostic[] }> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (thrown) {
    const message = `the manifest cannot be read: ${messageOf(thrown)}`
    return {
      diagnostics: [
        {
          severity: 'error',
          code: 'AMB3005',
          file,
          line: 1,
          column: 1,
          path: '',
          message,
          hint: 'check its permissions',
        },
      ],
    }
  }
  const fast = reader.fast(text, file)
  return fast ? { manifest: fast, diagnostics: [] } : reader.full(text, file)
}

/**
 * Two folders with one id (L7): `--plugin`, then workspace, then user, then bundled wins, but a workspace never
 * displaces a bundled id (LED-5). The rest are reported.
 */
function settleIds(plugins: readonly LivePlugin[]): {
  readonly winners: readonly LivePlugin[]
  readonly displaced: readonly LivePlugin[]
  readonly losers: readonly Diagnostic[]
} {
  const byId = new Map<string, LivePlugin[]>()
  for (const plugin of plugins) byId.set(plugin.id, [...(byId.get(plugin.id) ?? []), plugin])
  const settled = [...byId.values()].map(settleOne)
  const order = (a: LivePlugin, b: LivePlugin) => compareOrder(toOrder(a), toOrder(b))
  return {
    winners: settled.map((one) => one.winner).sort(order),
    displaced: settled.flatMap((one) => one.displaced),
    losers: settled.flatMap((one) => one.losers),
  }
}

function settleOne(plugins: readonly LivePlugin[]): {
  readonly winner: LivePlugin
  readonly displaced: readonly LivePlugin[]
  readonly losers: readonly Diagnostic[]
} {
  const isBundled = plugins.some((one) => one.source === 'bundled')
  const ranked = [...plugins].sort((a, b) => {
    // One that is invalid, or not trusted yet, takes no other folder's place.
    const usable = Number(isUsable(b)) - Number(isUsable(a))
    if (usable !== 0) return usable
    const allowed =
      Number(!(isBundled && b.source === 'workspace')) - Number(!(isBundled && a.source === 'workspace'))
    return allowed !== 0 ? allowed : compareOrder(toOrder(b), toOrder(a))
  })
  const [winner, ...losers] = ranked
  if (!winner) throw new Error('an id without a folder')
  return { winner, displaced: losers, losers: losers.map((loser) => duplicateOf(loser, winner)) }
}

function isUsable(plugin: LivePlugin): boolean {
  return plugin.state !== 'invalid' && plugin.reason === undefined
}

function toOrder(plugin: LivePlugin) {
  return { plugin: plugin.id, source: plugin.source }
}

/** The finding about a folder whose id another folder has. */
export function duplicateOf(
  loser: { readonly id: string; readonly folder: string },
  winner: { readonly folder: string; readonly source: string },
): Diagnostic {
  return {
    severity: 'warning',
    code: 'AMB3006',
    file: manifestFileOf(loser),
    line: 1,
    column: 1,
    path: 'id',
    message: `the id "${loser.id}" is already that of the ${winner.source} plugin in ${winner.folder}; this folder is not used`,
    hint: 'give one of the two another id',
  }
}

function registerOne(
  deps: RegistrationDeps,
  plugin: LivePlugin,
  context: {
    readonly planned: ReadonlyMap<string, string>
    readonly problems: Diagnostic[]
    readonly watch: LazyWatch
  },
): PluginRecord | undefined {
  const { manifest } = plugin
  if (!manifest) return undefined
  if (!isUsable(plugin)) return withoutCode(plugin, unavailableNames(manifest, untrustedWhy(plugin)))
  const isLeftOut = deps.without.has(plugin.id)
  if (!plugin.enabled || isLeftOut) {
    plugin.enabled = false
    plugin.state = 'disabled'
    plugin.reason = isLeftOut ? 'switched off for this run (--without)' : unreadableState(plugin.diagnostics)
    return withoutCode(plugin, unavailableNames(manifest))
  }
  const generation = 1
  plugin.code =
    manifest.entry === undefined
      ? undefined
      : {
          current: createLazyActivation(deps, plugin, { manifest, generation, watch: context.watch }),
          key: `lazy ${generation}`,
        }
  const plan = planVersion(deps, {
    plugin,
    manifest,
    generation,
    code: plugin.code,
    dataHashes: new Map(),
    findings: undefined,
    planned: context.planned,
  })
  plugin.generation = generation
  plugin.state = plan.problems.length > 0 ? 'degraded' : 'active'
  plugin.reason = plan.problems[0]?.message
  plugin.diagnostics = [...plugin.diagnostics, ...plan.problems]
  context.problems.push(...plan.problems)
  return plan.record
}

function withoutCode(
  { id, source }: LivePlugin,
  unavailable: ReadonlyMap<string, UnavailableName>,
): PluginRecord {
  return { plugin: id, source, contributions: [], unavailable }
}

/** Why a plugin is off whose state could not be understood; undefined when the user switched it off. */
export function unreadableState(problems: readonly Diagnostic[]): string | undefined {
  const first = problems.find((one) => one.severity === 'error')
  return first && `its state is not understood: ${first.file}:${first.line}:${first.column} ${first.message}`
}

/** Its names say so, instead of being unknown: the user may have used them yesterday (architecture 3, rule 6). */
function untrustedWhy({ id, reason }: LivePlugin): Omit<UnavailableName, 'plugin'> {
  const why = (reason ?? 'is not trusted').replace(`plugin ${id} of the workspace `, '')
  return { why, remedy: 'amber trust add' }
}

/** The names of a plugin that is off or not trusted: each resolves to who has it and how to get it back (LED-7). */
export function unavailableNames(
  manifest: Manifest,
  how: Omit<UnavailableName, 'plugin'> = { why: 'is switched off', remedy: `amber plugin on ${manifest.id}` },
): ReadonlyMap<string, UnavailableName> {
  const claims = KIND_ORDER.flatMap((kind) => KINDS[kind].declare(manifest).flatMap((one) => one.claims))
  const off = { plugin: manifest.id, ...how }
  return new Map(claims.map((claim) => [claim, off]))
}
