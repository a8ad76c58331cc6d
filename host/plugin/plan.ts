import type { Diagnostic } from '../../manifests/diagnostic.ts'
import type { Manifest } from '../../manifests/manifest.ts'
import type { ServiceName } from '../../sdk/index.ts'
import type { AnyRecord, ContributionRecord, PluginRecord } from '../ledger/record.ts'
import type { Kind, PluginCode, PluginSource } from '../registry/contribution.ts'
import type { Capability } from '../registry/kind.ts'
import { KIND_ORDER, KINDS } from '../registry/kinds.ts'
import { toolGroup } from '../registry/tool.ts'
import { declaredPath } from './declared-path.ts'
import type { EntryFindings } from './entry-findings.ts'
import type { Offer } from './offers.ts'

/** What a plan is made of: a manifest, the code behind it, and the world that it enters. */
export interface PlanInput {
  readonly manifest: Manifest
  readonly manifestFile: string
  readonly folder: string
  readonly source: PluginSource
  readonly generation: number
  /** Names the code: equal keys are equal code. */
  readonly codeKey: string
  /** Content hashes of the data files that the manifest names; a missing one counts as ''. */
  readonly dataHashes: ReadonlyMap<string, string>
  readonly previous: PluginRecord | undefined
  /** What the running code offers beyond the manifest. */
  readonly offers: readonly Offer[]
  readonly findings: EntryFindings | undefined
  readonly ownerOf: (claim: string) => string | undefined
  readonly hasService: (name: ServiceName) => boolean
  readonly codeFor: (kind: Kind, name: string) => PluginCode
  /** The same for data alone: it outlives the code beside it (SWAP-5), and so must hold none of it (SWAP-9). */
  readonly dataCodeFor: (kind: Kind, name: string) => PluginCode
}

/** One change that a plan makes. */
export interface PlannedChange {
  readonly kind: Kind
  readonly name: string
  readonly change: 'added' | 'changed' | 'removed'
}

/** What a plugin's record will be, and what that changes. Making it touches nothing live. */
export interface Plan {
  readonly record: PluginRecord
  readonly changes: readonly PlannedChange[]
  /** Names that another holds, and handlers that are wrong: they refuse a swap, and fail alone at start-up (LED-6). */
  readonly problems: readonly Diagnostic[]
}

/** Plans a plugin's contributions: kept ones keep their identity, place and generation (SWAP-5). */
export function planPlugin(input: PlanInput): Plan {
  const problems: Diagnostic[] = [...(input.findings?.extra ?? [])]
  const contributions = KIND_ORDER.flatMap((kind): readonly AnyRecord[] => planKind(kind, input, problems))
  for (const offer of input.offers) contributions.push(planGroup(offer, input, input.previous))
  return {
    record: { plugin: input.manifest.id, source: input.source, contributions, unavailable: new Map() },
    changes: changesBetween(input.previous?.contributions ?? [], contributions),
    problems,
  }
}

/** A record with one offered group put in, changed or taken out; the very same record when that changes nothing. */
export function planOffer(
  input: PlanInput,
  record: PluginRecord,
  { group, offer }: { readonly group: string; readonly offer: Offer | undefined },
): PluginRecord {
  const isIt = (one: AnyRecord) => one.kind === 'tool' && one.name === group
  const before = record.contributions.find(isIt)
  // What had failed gets another chance when it is offered anew (LED-10).
  const previous = before?.status === 'installed' ? record : undefined
  const planned = offer && planGroup(offer, input, previous)
  if (planned === before) return record
  const others = record.contributions.filter((one) => !isIt(one))
  const at = before ? record.contributions.indexOf(before) : others.length
  const claims = new Set([...(before?.claims ?? []), ...(planned?.claims ?? [])])
  return {
    ...record,
    contributions: [...others.slice(0, at), ...(planned ? [planned] : []), ...others.slice(at)],
    unavailable: new Map([...record.unavailable].filter(([claim]) => !claims.has(claim))),
  }
}

/** A group is planned like a manifest's, but refuses no swap: what its names meet is not the author's to mend. */
function planGroup(offer: Offer, input: PlanInput, previous: PluginRecord | undefined): AnyRecord {
  return keptOr(asAny(planOne(toolGroup(offer.group, offer.declared), input, [])), previous)
}

/** The record of before where nothing changed: it keeps its identity and generation (SWAP-5). */
function keptOr(record: AnyRecord, previous: PluginRecord | undefined): AnyRecord {
  const kept = previous?.contributions.find((one) => one.kind === record.kind && one.name === record.name)
  return kept && kept.signature === record.signature && kept.status === record.status ? kept : record
}

function planKind<K extends Kind>(kind: K, input: PlanInput, problems: Diagnostic[]): readonly AnyRecord[] {
  return KINDS[kind].declare(input.manifest).map((capability) => {
    const record = asAny(planOne(capability, input, problems))
    return keptOr(record, input.previous)
  })
}

function planOne<K extends Kind>(
  capability: Capability<K>,
  input: PlanInput,
  problems: Diagnostic[],
): ContributionRecord<K> {
  const { kind, name } = capability
  const base = {
    plugin: input.manifest.id,
    kind,
    name,
    generation: input.generation,
    claims: capability.claims,
    signature: signatureOf(capability, input),
    installed: [],
  }
  const missing = capability.requires.filter((service) => !input.hasService(service))
  if (missing.length > 0)
    return { ...base, status: 'declined', reason: `this run has no ${missing.join(', ')}` }
  const declined = input.findings?.declined.get(`${kind}:${name}`)
  if (declined !== undefined) return { ...base, status: 'declined', reason: declined }
  const problem = input.findings?.failed.get(`${kind}:${name}`)
  if (problem) {
    problems.push(problem)
    return { ...base, status: 'failed', reason: problem.message }
  }
  const conflict = conflictOf(capability, input)
  if (conflict) {
    problems.push(conflict)
    return { ...base, claims: [], status: 'failed', reason: conflict.message }
  }
  const installed = KINDS[kind].install({
    kind,
    name,
    plugin: input.manifest.id,
    generation: input.generation,
    declared: capability.declared,
    folder: input.folder,
    code: capability.handlers.length > 0 ? input.codeFor(kind, name) : input.dataCodeFor(kind, name),
  })
  return { ...base, status: 'installed', installed }
}

/** A name that another plugin or the host holds; the error names both (LED-5). */
function conflictOf(capability: Capability<Kind>, input: PlanInput): Diagnostic | undefined {
  const { id } = input.manifest
  for (const claim of capability.claims) {
    const owner = input.ownerOf(claim)
    if (owner === undefined || owner === id) continue
    const [what = '', ...rest] = claim.split(':')
    const holder = owner === 'amber' ? 'amber itself' : `plugin ${owner}`
    return {
      severity: 'error',
      code: 'AMB3004',
      file: input.manifestFile,
      line: 1,
      column: 1,
      path: declaredPath(input.manifest, `${capability.kind}s`, [rest.join(':')]),
      message: `plugin ${id}: the ${what} "${rest.join(':')}" belongs to ${holder}`,
      hint:
        owner === 'amber'
          ? 'choose another name'
          : `choose another name, or switch the other off: amber plugin off ${owner}`,
    }
  }
  return undefined
}

function signatureOf(capability: Capability<Kind>, input: PlanInput): string {
  const parts = [
    JSON.stringify(capability.declared),
    ...capability.files.map((file) => input.dataHashes.get(file) ?? ''),
    capability.handlers.length > 0 ? input.codeKey : '',
  ]
  return parts.join('\n')
}

function changesBetween(before: readonly AnyRecord[], after: readonly AnyRecord[]): readonly PlannedChange[] {
  const key = (one: AnyRecord) => `${one.kind}:${one.name}`
  const old = new Map(before.map((one) => [key(one), one]))
  const now = new Set(after.map(key))
  const changes: PlannedChange[] = []
  for (const one of after) {
    const previous = old.get(key(one))
    if (previous !== one)
      changes.push({ kind: one.kind, name: one.name, change: previous ? 'changed' : 'added' })
  }
  for (const one of before)
    if (!now.has(key(one))) changes.push({ kind: one.kind, name: one.name, change: 'removed' })
  return changes
}

function asAny<K extends Kind>(record: ContributionRecord<K>): AnyRecord {
  return record as AnyRecord
}
