import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isRecord } from '../../../sdk/index.ts'
import type { Kind } from '../../registry/contribution.ts'
import { KIND_ORDER } from '../../registry/kinds.ts'

/** The template of one kind of contribution, as it stands on disk. */
export interface Template {
  /** Its folder: `prompt-block`. */
  readonly kind: string
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
function folderOf(kind: Kind): string {
  return kind.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/**
 * What there is a template of, by its folder: the kinds of capability in the order in which contributions are installed,
 * then those that are a kind done another way (`tool-group`).
 */
export async function templateKinds(templates: string): Promise<readonly string[]> {
  const items = await readdir(templates, { withFileTypes: true })
  const names = items.filter((one) => one.isDirectory() && one.name !== 'common').map((one) => one.name)
  const order = KIND_ORDER.map(folderOf)
  const rank = (name: string) => (order.indexOf(name) + order.length + 1) % (order.length + 1)
  return names.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
}

/** Reads the templates of kinds; one that says `x-instead-of` another stands in its place, and before what uses it. */
export async function readTemplates(
  templates: string,
  kinds: readonly string[],
): Promise<readonly Template[]> {
  const read = await Promise.all(kinds.map((kind) => readTemplate(templates, kind)))
  const replaced = new Map(read.flatMap((one) => replacedBy(one).map((kind) => [kind, one])))
  const variants = new Set(replaced.values())
  const kept = read.filter((one) => !variants.has(one)).map((one) => replaced.get(one.kind) ?? one)
  return [...[...variants].filter((one) => !kept.includes(one)), ...kept]
}

function replacedBy({ manifest }: Template): readonly string[] {
  const kind = manifest['x-instead-of']
  return typeof kind === 'string' ? [kind] : []
}

/** Reads one template. Rejects when it is not there: an installation that is not whole. */
async function readTemplate(templates: string, kind: string): Promise<Template> {
  const id = `template_${kind.replaceAll('-', '_')}`
  const files = new Map(await filesBelow(join(templates, kind), ''))
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
