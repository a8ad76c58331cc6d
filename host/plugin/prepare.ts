import { join } from 'node:path'
import { type Diagnostic, hasErrors } from '../../manifests/diagnostic.ts'
import type { Manifest } from '../../manifests/manifest.ts'
import { wait } from '../base/clock.ts'
import { readRegularFile } from '../base/read-regular-file.ts'
import { type AnyRecord, installedOf } from '../ledger/record.ts'
import type { Kind } from '../registry/contribution.ts'
import { KIND_ORDER, KINDS } from '../registry/kinds.ts'
import type { Activation, Bundle } from './activation.ts'
import { buildConsistently } from './consistent-build.ts'
import type { CodeRef } from './contribution-code.ts'
import { type Fingerprint, fingerprint, sameFingerprint } from './fingerprint.ts'
import { type LivePlugin, manifestFileOf } from './live-plugin.ts'
import type { ManifestReader } from './manifest-reader.ts'
import { placeFindings } from './place-findings.ts'
import type { Plan } from './plan.ts'
import { bundleTrustProblem, trustProblem } from './plugin-trust.ts'
import type { PhaseTimer } from './swap-result.ts'
import { buildRequestOf, createActivation, findingsOf, planVersion, type VersionDeps } from './versions.ts'

/** What preparing a swap needs. */
export interface PrepareDeps extends VersionDeps {
  readonly reader: ManifestReader
}

/** A version that is ready to be committed. */
export interface PreparedVersion {
  readonly manifest: Manifest
  readonly plan: Plan
  /** The code of the new version: the running one when no code changed, undefined for data alone. */
  readonly code: CodeRef | undefined
  readonly generation: number
}

/** What came of preparing. `tried` is what to compare the files with the next time. */
export type Preparation =
  | { readonly kind: 'unchanged'; readonly tried: Fingerprint }
  | { readonly kind: 'renamed'; readonly id: string }
  | { readonly kind: 'gone' }
  | { readonly kind: 'rejected'; readonly tried: Fingerprint; readonly diagnostics: readonly Diagnostic[] }
  | {
      readonly kind: 'prepared'
      readonly tried: Fingerprint
      readonly version: PreparedVersion
      readonly diagnostics: readonly Diagnostic[]
    }

/** When a file is empty or does not parse, an editor may be in the middle of writing it: it is read again after these. */
const SECOND_LOOKS_MS = [20, 20, 20]

/** Prepares the newest state of a plugin's files; a half-written file gets a second look before it counts as an error. */
export async function prepare(
  deps: PrepareDeps,
  plugin: LivePlugin,
  options: { readonly fresh: boolean; readonly timer: PhaseTimer },
): Promise<Preparation> {
  let preparation = await prepareOnce(deps, plugin, options)
  for (const ms of SECOND_LOOKS_MS) {
    const seen = preparation
    if (seen.kind !== 'gone' && !(seen.kind === 'rejected' && mayBeHalfWritten(seen.diagnostics))) break
    await wait(deps.clock, ms)
    const isSame = seen.kind === 'rejected' && sameFingerprint(fingerprint(seen.tried.keys()), seen.tried)
    if (!isSame) preparation = await prepareOnce(deps, plugin, options)
  }
  return placed(preparation, plugin)
}

/** Reading, build and load faults: what a half-written file shows as. */
function mayBeHalfWritten(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((one) => /^AMB(1|3001|4001)/.test(one.code))
}

/** Findings about what the manifest declares, or about a handler, stand at its line (SWAP-10). */
async function placed(preparation: Preparation, { folder }: LivePlugin): Promise<Preparation> {
  if (!('diagnostics' in preparation) || preparation.diagnostics.length === 0) return preparation
  const { diagnostics, tried } = preparation
  return { ...preparation, diagnostics: await placeFindings(diagnostics, { folder, inputs: tried.keys() }) }
}

async function prepareOnce(
  deps: PrepareDeps,
  plugin: LivePlugin,
  options: { readonly fresh: boolean; readonly timer: PhaseTimer },
): Promise<Preparation> {
  const { timer, fresh } = options
  timer.begin('validate')
  const manifestFile = manifestFileOf(plugin)
  // Hashed before it is read: a save in between is then seen again, and not taken for tried.
  const before = fingerprint(new Set([manifestFile, ...plugin.tried.keys()]))
  const file = readRegularFile(manifestFile)
  if (file.kind === 'missing') return { kind: 'gone' }
  if (file.kind === 'unreadable') {
    return { kind: 'rejected', tried: new Map(), diagnostics: [unreadable(manifestFile, file.why)] }
  }
  const text = file.bytes.toString('utf8')
  if (!fresh && plugin.tried.size > 0 && sameFingerprint(before, plugin.tried))
    return { kind: 'unchanged', tried: before }
  const {
    manifest,
    diagnostics,
    missing = [],
  } = await readOrKeep(deps, plugin, { text, manifestFile, before })
  if (!manifest) {
    const tried = new Map([...before, ...missing.map((file) => [join(plugin.folder, file), ''] as const)])
    return { kind: 'rejected', tried, diagnostics }
  }
  if (manifest.id !== plugin.id) return { kind: 'renamed', id: manifest.id }
  const untrusted = await trustProblem(deps, plugin)
  if (untrusted) return { kind: 'rejected', tried: before, diagnostics: [...diagnostics, untrusted] }
  const dataHashes = hashDataFiles(plugin.folder, manifest)
  const data = new Map([...dataHashes].map(([file, hash]) => [join(plugin.folder, file), hash]))

  const built = await buildCode(plugin, manifest, { fresh, before, timer })
  const tried = new Map([[manifestFile, before.get(manifestFile) ?? ''], ...data, ...(built.inputs ?? [])])
  const warnings = [...diagnostics, ...built.diagnostics]
  if (built.kind === 'failed') return { kind: 'rejected', tried, diagnostics: warnings }

  const generation = plugin.generation + 1
  const loaded = await loadCode(deps, plugin, { manifest, generation, built, timer })
  if (loaded.kind === 'failed')
    return { kind: 'rejected', tried, diagnostics: [...warnings, loaded.diagnostic] }

  timer.begin('stage')
  const entry = loaded.code?.current.entry
  const findings = entry && findingsOf(deps, plugin, { manifest, entry })
  if (findings?.kind === 'fault') {
    if (loaded.isNew) loaded.code?.current.retire('crash')
    return { kind: 'rejected', tried, diagnostics: [...warnings, findings.fault.diagnostic] }
  }
  const plan = planVersion(deps, {
    plugin,
    manifest,
    generation,
    code: loaded.code,
    dataHashes,
    findings: findings?.kind === 'value' ? findings.value : undefined,
  })
  const problems = [...plan.problems, ...(await tryRenders(plan))]
  if (hasErrors(problems)) {
    if (loaded.isNew) loaded.code?.current.retire('crash')
    return { kind: 'rejected', tried, diagnostics: [...warnings, ...problems] }
  }
  return {
    kind: 'prepared',
    tried,
    version: { manifest, plan, code: loaded.code, generation },
    diagnostics: [...warnings, ...problems],
  }
}

/** A manifest whose bytes are those of the last good one says the same. */
async function readOrKeep(
  deps: PrepareDeps,
  plugin: LivePlugin,
  now: { readonly text: string; readonly manifestFile: string; readonly before: Fingerprint },
): ReturnType<ManifestReader['full']> {
  const { manifestFile, before } = now
  const isSame = before.get(manifestFile) === plugin.tried.get(manifestFile)
  if (isSame && plugin.manifest && plugin.diagnostics.length === 0)
    return { manifest: plugin.manifest, diagnostics: [] }
  return deps.reader.full(now.text, manifestFile)
}

type Built =
  | { readonly kind: 'none'; readonly inputs: undefined; readonly diagnostics: readonly Diagnostic[] }
  | { readonly kind: 'failed'; readonly inputs: Fingerprint; readonly diagnostics: readonly Diagnostic[] }
  | {
      readonly kind: 'kept' | 'built'
      readonly bundle: Bundle
      readonly inputs: Fingerprint
      readonly diagnostics: readonly Diagnostic[]
    }

/** Builds nothing when only data changed: the running code's inputs are the same bytes. */
async function buildCode(
  plugin: LivePlugin,
  manifest: Manifest,
  options: { readonly fresh: boolean; readonly before: Fingerprint; readonly timer: PhaseTimer },
): Promise<Built> {
  if (manifest.entry === undefined) return { kind: 'none', inputs: undefined, diagnostics: [] }
  const running = plugin.code?.current
  const bundle = running?.entry ? running.bundle : undefined
  const sameBuild =
    plugin.manifest?.entry === manifest.entry &&
    String(plugin.manifest.external) === String(manifest.external)
  if (bundle && sameBuild && !options.fresh && isCurrent(bundle, options.before)) {
    return { kind: 'kept', bundle, inputs: bundle.inputs, diagnostics: [] }
  }
  options.timer.begin('build')
  const built = await buildConsistently(buildRequestOf(plugin, manifest), options.before.keys())
  if (!built.ok) {
    const inputs = new Map([...(bundle ? fingerprint(bundle.inputs.keys()) : []), ...built.inputs])
    return { kind: 'failed', inputs, diagnostics: built.diagnostics }
  }
  const same = bundle?.hash === built.bundle.hash && !options.fresh
  return {
    kind: same ? 'kept' : 'built',
    bundle: built.bundle,
    inputs: built.bundle.inputs,
    diagnostics: built.diagnostics,
  }
}

function isCurrent(bundle: Bundle, now: Fingerprint): boolean {
  for (const [path, hash] of bundle.inputs) if (now.get(path) !== hash) return false
  return true
}

type Loaded =
  | { readonly kind: 'loaded'; readonly code: CodeRef | undefined; readonly isNew: boolean }
  | { readonly kind: 'failed'; readonly diagnostic: Diagnostic }

async function loadCode(
  deps: PrepareDeps,
  plugin: LivePlugin,
  options: {
    readonly manifest: Manifest
    readonly generation: number
    readonly built: Exclude<Built, { kind: 'failed' }>
    readonly timer: PhaseTimer
  },
): Promise<Loaded> {
  const { built } = options
  if (built.kind === 'none') return { kind: 'loaded', code: undefined, isNew: false }
  if (built.kind === 'kept' && plugin.code) return { kind: 'loaded', code: plugin.code, isNew: false }
  const untrusted = await bundleTrustProblem(deps, plugin, built.bundle)
  if (untrusted) return { kind: 'failed', diagnostic: untrusted }
  options.timer.begin('load')
  const activation: Activation = createActivation(deps, plugin, { ...options, bundle: built.bundle })
  const outcome = await activation.startNow(built.bundle)
  // The generation too: asked for anew, the same bytes are another version (LED-10).
  const key = `${built.bundle.hash} ${options.generation}`
  if (outcome.kind === 'value') return { kind: 'loaded', code: { current: activation, key }, isNew: true }
  activation.retire('crash')
  return {
    kind: 'failed',
    diagnostic: outcome.kind === 'fault' ? outcome.fault.diagnostic : declinedWhole(plugin, outcome.why),
  }
}

function declinedWhole(plugin: LivePlugin, why: string): Diagnostic {
  const hint = 'a plugin declines its contributions one by one: put decline() where the handler would stand'
  return {
    severity: 'error',
    code: 'AMB3003',
    file: manifestFileOf(plugin),
    line: 1,
    column: 1,
    path: '',
    message: `plugin ${plugin.id} declined: ${why}`,
    hint,
  }
}

/** Tries the pure renders of what is new, once: a render that throws at every frame must not go live. */
async function tryRenders(plan: Plan): Promise<readonly Diagnostic[]> {
  const fresh = new Set(
    plan.changes.filter((one) => one.change !== 'removed').map((one) => `${one.kind}:${one.name}`),
  )
  const records = plan.record.contributions.filter((one) => fresh.has(`${one.kind}:${one.name}`))
  const found = await Promise.all(KIND_ORDER.map((kind) => tryKind(kind, records)))
  return found.flat()
}

async function tryKind<K extends Kind>(
  kind: K,
  records: readonly AnyRecord[],
): Promise<readonly Diagnostic[]> {
  const trial = KINDS[kind].trial
  if (!trial) return []
  const installed = installedOf(records, kind)
  const outcomes = await Promise.all(installed.map((one) => trial(one)))
  return outcomes.flatMap((outcome) => (outcome.kind === 'fault' ? [outcome.fault.diagnostic] : []))
}

function hashDataFiles(folder: string, manifest: Manifest): ReadonlyMap<string, string> {
  const files = KIND_ORDER.flatMap((kind) => KINDS[kind].declare(manifest).flatMap((one) => one.files))
  return new Map(
    [...new Set(files)].map((file) => [
      file,
      fingerprint([join(folder, file)]).get(join(folder, file)) ?? '',
    ]),
  )
}

function unreadable(file: string, why: string): Diagnostic {
  const message = `the manifest cannot be read: ${why}`
  const hint = 'put a readable plugin.json in its place'
  return { severity: 'error', code: 'AMB3005', file, line: 1, column: 1, path: '', message, hint }
}
