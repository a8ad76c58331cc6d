import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readJsonDocument } from '../../../../manifests/json-document.ts'
import type { Manifest } from '../../../../manifests/manifest.ts'
import { isRecord } from '../../../../sdk/index.ts'
import { ENTRY_FILE } from '../../../plugin/release-build.ts'

/** The manifest as it is published: the author's own, with the built entry, without the editor's `$schema`. */
export async function releaseManifest(file: string, manifest: Manifest): Promise<string> {
  const { document } = await readJsonDocument(await readFile(file, 'utf8'), file)
  const { $schema: _schema, ...given } = isRecord(document?.value) ? document.value : {}
  const entry = manifest.entry === undefined ? {} : { entry: `./${ENTRY_FILE}` }
  return `${JSON.stringify({ ...given, ...entry }, null, 2)}\n`
}

/** What of the author's package.json says something to those who install the package. */
const KEPT = [
  'name',
  'license',
  'author',
  'contributors',
  'homepage',
  'repository',
  'bugs',
  'funding',
  'publishConfig',
]

/**
 * The package.json of a published plugin: the author's words on it, the manifest's version and description, no scripts,
 * and of the dependencies only those that are not in the bundle.
 */
export async function releasePackage(folder: string, manifest: Manifest): Promise<string> {
  const own = await readPackage(folder)
  const kept = Object.fromEntries(KEPT.flatMap((key) => (own[key] === undefined ? [] : [[key, own[key]]])))
  const keywords = Array.isArray(own.keywords) ? own.keywords : []
  const declared = isRecord(own.dependencies) ? own.dependencies : {}
  const external = Object.entries(declared).filter(([name]) => manifest.external.includes(name))
  return `${JSON.stringify(
    {
      name: `amber-plugin-${manifest.id.replaceAll('_', '-')}`,
      ...kept,
      version: manifest.version,
      description: manifest.description,
      keywords: [...new Set([...keywords, 'amber-plugin'])],
      type: 'module',
      ...(external.length === 0 ? {} : { dependencies: Object.fromEntries(external) }),
    },
    null,
    2,
  )}\n`
}

async function readPackage(folder: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const value: unknown = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}
