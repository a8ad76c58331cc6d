import { copyFile, mkdir, readdir, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { AmberError } from '../../../base/errors.ts'
import { createIntake, type Intake, refused } from './bounds.ts'
import { RECORD_FILE } from './record.ts'

/** What a plugin's folder may hold that is no part of the plugin. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'node_modules',
  '.git',
  '.hg',
  '.svn',
  '.DS_Store',
  RECORD_FILE,
])
const DEEPEST = 40

/**
 * Copies a plugin's folder into an empty one. Links to what lies in the folder become copies, a link that leads out is
 * refused; dependencies and the repository stay behind. Rejects with an AmberError, or the system's.
 */
export async function copyFolder(from: string, into: string): Promise<void> {
  const root = await realpath(from)
  await copyBelow({ root, intake: createIntake() }, { from: root, into, depth: 0 })
}

interface Copying {
  readonly root: string
  readonly intake: Intake
}

async function copyBelow(
  copying: Copying,
  { from, into, depth }: { readonly from: string; readonly into: string; readonly depth: number },
): Promise<void> {
  if (depth > DEEPEST) throw refused(`it is nested more than ${DEEPEST} folders deep`)
  for (const name of (await readdir(from)).sort()) {
    if (LEFT_OUT.has(name)) continue
    const path = await realInside(copying.root, join(from, name))
    const { size, ...kind } = await statOf(path)
    const target = join(into, name)
    copying.intake.add(target.slice(into.length), kind.isFolder ? 0 : size)
    if (kind.isFolder) {
      await mkdir(target, { mode: 0o755 })
      await copyBelow(copying, { from: path, into: target, depth: depth + 1 })
    } else if (kind.isFile) await copyFile(path, target)
    else throw refused(`${name} is neither a file nor a folder`)
  }
}

async function statOf(path: string) {
  const found = await stat(path)
  return { size: found.size, isFile: found.isFile(), isFolder: found.isDirectory() }
}

async function realInside(root: string, path: string): Promise<string> {
  const real = await realpath(path).catch(() => {
    throw new AmberError(
      'failed',
      `${path} is a link that leads nowhere.`,
      'Remove it; nothing was installed.',
    )
  })
  if (real.startsWith(root + sep)) return real
  throw refused(`${path} is a link that leads out of the folder`)
}
