import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { App } from '../host/app/app.ts'
import type { Kind, LedgerEntry } from '../host/registry/contribution.ts'
import type { Path } from '../manifests/finding.ts'
import { readJsonDocument } from '../manifests/json-document.ts'
import { isRecord } from '../sdk/index.ts'

/** Where a ledger entry is declared. */
export interface Source extends Pick<LedgerEntry, 'plugin' | 'kind' | 'name'> {
  /** Absolute. */
  readonly file: string
  readonly line: number
}

/** Where a manifest declares each kind, and by which keys it names them. */
const PLACES: Readonly<Record<Kind, readonly [section: string, ...keys: string[]]>> = {
  tool: ['tools', 'group', 'name'],
  promptBlock: ['promptBlocks', 'name'],
  statusSegment: ['statusSegments', 'name'],
  panel: ['panels', 'id'],
  command: ['commands', 'root'],
  provider: ['providers', 'flavor'],
  wallet: ['wallets', 'provider'],
  allowance: ['allowances', 'provider'],
  searchBackend: ['searchBackends', 'mode'],
  skill: ['skills', 'name'],
}

/** The place of every entry of the ledger that its manifest, as it stands now, still declares. */
export async function ledgerSources(app: Pick<App, 'plugins' | 'snapshot'>): Promise<readonly Source[]> {
  const { ledger } = app.snapshot()
  const found = app.plugins.list().map(async ({ id, path }) => {
    const mine = ledger.filter((one) => one.plugin === id)
    return mine.length === 0 ? [] : placesIn(join(path, 'plugin.json'), mine)
  })
  return (await Promise.all(found)).flat()
}

async function placesIn(file: string, entries: readonly LedgerEntry[]): Promise<readonly Source[]> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const { document } = await readJsonDocument(text, file)
  if (!document) return []
  return entries.flatMap(({ plugin, kind, name }) => {
    const path = pathOf(document.value, kind, name)
    if (path === undefined) return []
    const [place] = document.diagnose([{ severity: 'warning', code: 'AMB1003', path, message: '' }])
    return place === undefined ? [] : [{ plugin, kind, name, file, line: place.line }]
  })
}

function pathOf(manifest: unknown, kind: Kind, name: string): Path | undefined {
  const [section, ...keys] = PLACES[kind]
  const capabilities = isRecord(manifest) ? manifest.capabilities : undefined
  const declared = isRecord(capabilities) ? capabilities[section] : undefined
  if (!Array.isArray(declared)) return undefined
  for (const [index, one] of declared.entries()) {
    const key = isRecord(one) ? keys.find((key) => one[key] !== undefined) : undefined
    if (key === undefined || !isRecord(one)) continue
    if (one[key] === name || hasPreset(one, name)) return ['capabilities', section, index, key]
  }
  return undefined
}

/** A provider goes by its presets as well as by its protocol. */
function hasPreset({ presets }: Readonly<Record<string, unknown>>, name: string): boolean {
  return Array.isArray(presets) && presets.some((one) => isRecord(one) && one.name === name)
}
