import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { atEnd } from './at-end.ts'

/** What stands at a path: a file's content, a link's target, or an empty folder. */
export type TreeEntry = string | Uint8Array | { readonly link: string } | { readonly folder: true }

/** Makes a temporary folder with these entries, removed when the test ends; answers its real path. */
export async function createTempTree(
  t: TestContext,
  entries: Readonly<Record<string, TreeEntry>> = {},
): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'amber-tree-')))
  atEnd(t, () => rm(folder, { recursive: true, force: true }))
  for (const [path, entry] of Object.entries(entries)) await createEntry(join(folder, path), entry)
  return folder
}

async function createEntry(path: string, entry: TreeEntry): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  if (typeof entry === 'string' || entry instanceof Uint8Array) await writeFile(path, entry)
  else if ('link' in entry) await symlink(entry.link, path)
  else await mkdir(path, { recursive: true })
}
