import type { FolderEntry, WorkspaceService } from '../../sdk/index.ts'
import { AmberError } from '../base/errors.ts'
import { sanitiseLine } from '../base/sanitise.ts'
import type { CoreHandler } from '../command/dispatch.ts'

/** What the commands about files work on; every path passes the workspace's own confinement (SAFE-1). */
export interface FileCommandDeps {
  readonly workspace: Pick<WorkspaceService, 'list' | 'read'>
  /** Every file, relative to the root, without what `.gitignore` leaves out. */
  readonly files: () => Promise<readonly string[]>
}

const MOST_ENTRIES = 1000
const MOST_LINES = 400
const MOST_BYTES = 256 * 1024
const MOST_FOUND = 100
const MOST_TREE = 300

/** `/files ls | tree | open | find`, by dotted path. */
export function fileCommands(deps: FileCommandDeps): ReadonlyMap<string, CoreHandler> {
  return new Map<string, CoreHandler>([
    ['files.ls', ({ text }) => listFolder(deps, text || '.')],
    ['files.tree', async ({ text }) => treeOf(await deps.files(), text || '.')],
    ['files.open', ({ text }) => openFile(deps, text)],
    ['files.find', async ({ text }) => find(await deps.files(), text)],
  ])
}

async function listFolder({ workspace }: FileCommandDeps, path: string): Promise<string> {
  const listing = await workspace.list(path, { max: MOST_ENTRIES })
  if (!listing.ok) throw new AmberError('failed', listing.error, 'See what is there: /files ls')
  const { entries, total } = listing
  const rows = [...entries.filter(isFolder), ...entries.filter((one) => !isFolder(one))].map(entryLine)
  const left = total === undefined ? undefined : total - entries.length
  if (left !== 0) rows.push(left === undefined ? '… and more' : `… and ${left} more`)
  return rows.join('\n') || 'The folder is empty.'
}

const isFolder = ({ kind }: FolderEntry) => kind === 'directory'

function entryLine({ name, kind }: FolderEntry): string {
  const marks = { directory: '/', link: '@', file: '', other: '?' }
  return `${sanitiseLine(name)}${marks[kind]}`
}

async function openFile({ workspace }: FileCommandDeps, path: string): Promise<string> {
  if (path === '') throw new AmberError('failed', 'No file was named.', 'Find one: /files find PART')
  const file = await workspace.read(path, { maxBytes: MOST_BYTES })
  if (!file.ok) throw new AmberError('failed', file.error, 'Find it: /files find PART')
  if (file.bytes.includes(0)) {
    throw new AmberError('failed', `${file.relative} is no text (${file.size} bytes).`, 'Open it elsewhere.')
  }
  const lines = new TextDecoder()
    .decode(file.bytes)
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
  const shown = lines.slice(0, MOST_LINES)
  const width = String(shown.length).length
  const rows = shown.map((line, at) => `${String(at + 1).padStart(width)}  ${line}`)
  const isCut = shown.length < lines.length || file.bytes.length < file.size
  return [...rows, ...(isCut ? [`… the first ${shown.length} lines of ${file.size} bytes`] : [])].join('\n')
}

function find(files: readonly string[], part: string): string {
  if (part === '') throw new AmberError('failed', 'No part of a name was given.', 'Write: /files find PART')
  const wanted = part.toLowerCase()
  const found = files.filter((file) => file.toLowerCase().includes(wanted))
  if (found.length === 0) {
    throw new AmberError('failed', `No file is called like ${part}.`, 'What .gitignore names is left out.')
  }
  const more = found.length > MOST_FOUND ? [`… and ${found.length - MOST_FOUND} more`] : []
  return [...found.slice(0, MOST_FOUND).map(sanitiseLine), ...more].join('\n')
}

/** A folder of the tree: its folders by name, and its files. */
interface Branch {
  readonly folders: Map<string, Branch>
  readonly files: string[]
}

function treeOf(files: readonly string[], folder: string): string {
  const path = folder.replace(/^\.\/?/, '').replace(/\/+$/, '')
  const inside = path === '' ? files : files.filter((file) => file.startsWith(`${path}/`))
  if (inside.length === 0) {
    const message = path === '' ? 'The workspace has no files.' : `There are no files in ${folder}.`
    throw new AmberError('failed', message, 'What .gitignore names is left out; /files ls shows it.')
  }
  const root: Branch = { folders: new Map(), files: [] }
  for (const file of inside) plant(root, file.slice(path === '' ? 0 : path.length + 1).split('/'))
  const rows = draw(root, '')
  const more = rows.length > MOST_TREE ? [`… and ${rows.length - MOST_TREE} more`] : []
  return [`${path === '' ? '.' : sanitiseLine(path)}/`, ...rows.slice(0, MOST_TREE), ...more].join('\n')
}

function plant(branch: Branch, [name = '', ...rest]: readonly string[]): void {
  if (rest.length === 0) {
    branch.files.push(name)
    return
  }
  const below: Branch = branch.folders.get(name) ?? { folders: new Map(), files: [] }
  branch.folders.set(name, below)
  plant(below, rest)
}

function draw({ folders, files }: Branch, indent: string): readonly string[] {
  const byName = [...folders].sort(([a], [b]) => (a < b ? -1 : 1))
  return [
    ...byName.flatMap(([name, below]) => [
      `${indent}  ${sanitiseLine(name)}/`,
      ...draw(below, `${indent}  `),
    ]),
    ...[...files].sort().map((name) => `${indent}  ${sanitiseLine(name)}`),
  ]
}
