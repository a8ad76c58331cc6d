import { lstat, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isInGit } from '../find-git.ts'
import { type IgnoreRules, isIgnored, readAllIgnoreRules, readIgnoreRules } from './ignore-rules.ts'

/** What a walk could not do. */
export interface WalkReport {
  unreadable: number
}

/**
 * The regular files below `path` that no ignore file leaves out, or `path` itself when it is a file. Links are not
 * followed, `.git` is not entered.
 */
export async function* walk(path: string, root: string, report: WalkReport): AsyncGenerator<string> {
  if ((await lstat(path)).isFile()) {
    yield path
    return
  }
  const inGit = await isInGit(root)
  yield* walkFolder(path, { rules: await rulesFor(path, inGit), inGit, report })
}

/** A folder that was named is searched even where the folders above leave it out. */
async function rulesFor(folder: string, inGit: boolean): Promise<IgnoreRules> {
  const parent = dirname(folder)
  const above = parent === folder ? undefined : await readAllIgnoreRules(parent, inGit)
  const ignored = isIgnored(above, { path: folder, folder: true })
  return readIgnoreRules(folder, ignored ? undefined : above, inGit)
}

async function* walkFolder(
  folder: string,
  context: { readonly rules: IgnoreRules; readonly inGit: boolean; readonly report: WalkReport },
): AsyncGenerator<string> {
  const { rules, inGit, report } = context
  let entries: Awaited<ReturnType<typeof entriesOf>>
  try {
    entries = await entriesOf(folder)
  } catch {
    report.unreadable += 1
    return
  }
  for (const entry of entries) {
    const path = join(folder, entry.name)
    const wanted = entry.isFile() || (entry.isDirectory() && entry.name !== '.git')
    if (!wanted || isIgnored(rules, { path, folder: entry.isDirectory() })) continue
    if (entry.isFile()) yield path
    else yield* walkFolder(path, { rules: await readIgnoreRules(path, rules, inGit), inGit, report })
  }
}

async function entriesOf(folder: string) {
  const entries = await readdir(folder, { withFileTypes: true })
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
}
