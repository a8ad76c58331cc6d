import { open, realpath, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { cutToBytes } from '../base/text-limit.ts'
import { isInside } from './inside.ts'

/** What a project says to every agent, in the file's own words. */
export interface ContextFile {
  /** Absolute. */
  readonly path: string
  readonly text: string
  /** Bytes that were left out. */
  readonly leftOut: number
}

const NAME = 'AGENTS.md'
const MAX_FILES = 16
/** What they may take of every request, together, in bytes. */
const BUDGET_BYTES = 32 * 1024

/**
 * The `AGENTS.md` files from the repository's root down to the workspace, the nearest last (bundled-plugins 6). Outside
 * a repository the workspace's own alone. A link that leads out of the repository is not followed. Never rejects.
 */
export async function findContextFiles(workspace: string): Promise<readonly ContextFile[]> {
  const folders = await foldersUpToRepository(workspace)
  const root = folders.at(-1) ?? workspace
  const files: ContextFile[] = []
  let room = BUDGET_BYTES
  // The nearest knows best: it is read first, and shown last.
  for (const folder of folders.slice(0, MAX_FILES)) {
    const file = await readContextFile(join(folder, NAME), root, room)
    if (file === undefined) continue
    files.unshift(file)
    room = Math.max(0, room - Buffer.byteLength(file.text))
  }
  return files
}

/** The files as one prompt text; `''` when there are none. */
export function contextText(files: readonly ContextFile[]): string {
  const parts = files
    .filter((file) => file.text.trim() !== '')
    .map(({ path, text, leftOut }) => {
      const note = leftOut === 0 ? '' : `\n[… ${leftOut} bytes were left out]`
      return `### ${path}\n\n${text.trim()}${note}`
    })
  if (parts.length === 0) return ''
  return ['## What this project asks of agents', ...parts].join('\n\n')
}

/** The workspace first; the repository's root, if there is one, last. */
async function foldersUpToRepository(workspace: string): Promise<readonly string[]> {
  const folders: string[] = []
  for (let folder = workspace; ; folder = dirname(folder)) {
    folders.push(folder)
    if (await exists(join(folder, '.git'))) return folders
    if (dirname(folder) === folder) return [workspace]
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

async function readContextFile(path: string, root: string, room: number): Promise<ContextFile | undefined> {
  try {
    const real = await realpath(path)
    if (!isInside(root, real)) return undefined
    const status = await stat(real)
    if (!status.isFile()) return undefined
    const file = await open(real, 'r')
    try {
      const buffer = Buffer.alloc(Math.min(status.size, room + 4))
      const { bytesRead } = await file.read(buffer, 0, buffer.length, 0)
      const { text } = cutToBytes(buffer.toString('utf8', 0, bytesRead).replaceAll('\r\n', '\n'), room)
      return { path, text, leftOut: Math.max(0, status.size - room) }
    } finally {
      await file.close()
    }
  } catch {
    return undefined
  }
}
