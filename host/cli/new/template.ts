import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isRecord } from '../../../sdk/index.ts'
import type { Kind } from '../../registry/contribution.ts'
import { KIND_ORDER } from '../../registry/kinds.ts'

/** The template of one capability kind, as it stands on disk. */
export interface Template {
  readonly kind: Kind
  readonly id: string
  readonly manifest: Readonly<Record<string, unknown>>
  /** Undefined when its contributions are all data. */
  readonly entry: string | undefined
  readonly test: string
  readonly readme: string
  /** Every other file, by its path in the folder. */
  readonly files: ReadonlyMap<string, string>
}

/** What every new plugin gets, whatever it contributes. */
export interface CommonFiles {
  readonly readme: string
  readonly tsconfig: string
  readonly gitignore: string
}

/** `promptBlock` as its folder is called: `prompt-block`. */
export function folderOf(kind: Kind): string {
  return kind.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** The kinds that have a template, in the order in which contributions are installed. */
export async function templateKinds(templates: string): Promise<readonly Kind[]> {
  const names = new Set(await readdir(templates))
  return KIND_ORDER.filter((kind) => names.has(folderOf(kind)))
}

/** Reads a kind's template. Rejects when it is not there: an installation that is not whole. */
export async function readTemplate(templates: string, kind: Kind): Promise<Template> {
  const id = `template_${folderOf(kind).replaceAll('-', '_')}`
  const files = new Map(await filesBelow(join(templates, folderOf(kind)), ''))
  const take = (name: string) => {
    const text = files.get(name)
    files.delete(name)
    return text
  }
  const manifest: unknown = JSON.parse(take('plugin.json') ?? 'null')
  const entry = take('index.ts')
  const test = take(`${id}.test.ts`)
  const readme = take('README.md')
  take('plugin.types.ts')
  if (!isRecord(manifest) || test === undefined || readme === undefined) {
    throw new Error(`the template of ${kind} in ${templates} is not whole`)
  }
  return { kind, id, manifest, entry, test, readme, files }
}

/** Reads what every new plugin gets. */
export async function readCommonFiles(templates: string): Promise<CommonFiles> {
  const read = (name: string) => readFile(join(templates, 'common', name), 'utf8')
  const [readme, tsconfig, gitignore] = await Promise.all([
    read('README.md'),
    read('tsconfig.json'),
    read('gitignore'),
  ])
  return { readme, tsconfig, gitignore }
}

async function filesBelow(folder: string, prefix: string): Promise<[string, string][]> {
  const items = await readdir(join(folder, prefix), { withFileTypes: true })
  const found = await Promise.all(
    items.map(async (item): Promise<[string, string][]> => {
      const path = prefix === '' ? item.name : `${prefix}/${item.name}`
      if (item.isDirectory()) return item.name === 'node_modules' ? [] : filesBelow(folder, path)
      return [[path, await readFile(join(folder, path), 'utf8')]]
    }),
  )
  return found.flat()
}
