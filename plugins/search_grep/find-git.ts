import { lstat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Whether a folder holds a `.git` (a folder, or the file of a worktree or submodule). */
export async function hasGit(folder: string): Promise<boolean> {
  try {
    await lstat(join(folder, '.git'))
    return true
  } catch {
    return false
  }
}

/** Whether a folder is in a git repository. */
export async function isInGit(folder: string): Promise<boolean> {
  for (let at = folder; ; at = dirname(at)) {
    if (await hasGit(at)) return true
    if (dirname(at) === at) return false
  }
}
