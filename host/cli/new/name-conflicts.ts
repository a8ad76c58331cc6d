import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CommandNode } from '../../../manifests/command-node.ts'
import type { Manifest } from '../../../manifests/manifest.ts'
import { readManifest } from '../../../manifests/read-manifest.ts'
import { reservedNames } from '../../app/reserved-names.ts'
import { discover } from '../../plugin/discover.ts'
import { manifestFileOf } from '../../plugin/live-plugin.ts'
import { KIND_ORDER, KINDS } from '../../registry/kinds.ts'

/** A name that a new plugin wants and another has. */
export interface NameConflict {
  /** `tool read`. */
  readonly name: string
  /** The owner: a plugin's id, or `amber` itself. */
  readonly owner: string
}

/** Finds the first of a new plugin's names that is amber's own or a shipped or installed plugin's (LED-5). */
export async function findNameConflict(
  manifest: Manifest,
  others: {
    readonly installation: string
    readonly config: string
    readonly commands: Readonly<Record<string, CommandNode>>
    readonly amberVersion: string
  },
): Promise<NameConflict | undefined> {
  const owners = new Map(reservedNames(others.commands))
  const { folders } = discover({
    parents: [
      { folder: join(others.installation, 'plugins'), source: 'bundled' },
      { folder: join(others.config, 'plugins'), source: 'user' },
    ],
    given: [],
  })
  for (const folder of folders) {
    const other = await read(manifestFileOf(folder), others.amberVersion)
    if (other === undefined || other.id === manifest.id) continue
    for (const claim of claimsOf(other)) if (!owners.has(claim)) owners.set(claim, other.id)
  }
  for (const claim of claimsOf(manifest)) {
    const owner = owners.get(claim)
    if (owner !== undefined && claim !== 'flavor:openai') return { name: claim.replace(':', ' '), owner }
  }
  return undefined
}

/** Undefined for one that cannot be used: it holds no names. */
async function read(file: string, amberVersion: string): Promise<Manifest | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return (await readManifest(text, file, { amberVersion })).manifest
}

function claimsOf(manifest: Manifest): readonly string[] {
  return KIND_ORDER.flatMap((kind) => KINDS[kind].declare(manifest).flatMap((one) => one.claims))
}
