import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Ignore } from 'ignore'

/** Enough for any repository that people complete in, and a bound on what a completion may cost. */
const MOST_FILES = 20_000
const MOST_FOLDERS = 4000
const NEVER: ReadonlySet<string> = new Set(['.git', 'node_modules', '.hg', '.svn'])

interface Rules {
  /** The folder of the `.gitignore`, relative to the root; `''` is the root. */
  readonly base: string
  readonly rules: Ignore
}

/** The files of a folder, nearest first, without what `.gitignore` files leave out. Links are not followed. */
export async function listFiles(root: string): Promise<readonly string[]> {
  const { default: ignore } = await import('ignore')
  const files: string[] = []
  let folders: { readonly path: string; readonly rules: readonly Rules[] }[] = [{ path: '', rules: [] }]
  let seen = 0
  while (folders.length > 0 && files.length < MOST_FILES && seen < MOST_FOLDERS) {
    const next: typeof folders = []
    for (const { path, rules } of folders) {
      seen += 1
      const items = await readdir(join(root, path), { withFileTypes: true }).catch(() => [])
      const own = items.some(({ name }) => name === '.gitignore')
        ? await readFile(join(root, path, '.gitignore'), 'utf8').catch(() => '')
        : ''
      const all = own === '' ? rules : [...rules, { base: path, rules: ignore().add(own) }]
      for (const item of items) {
        const relative = path === '' ? item.name : `${path}/${item.name}`
        if (NEVER.has(item.name) || isIgnored(relative, item.isDirectory(), all)) continue
        if (item.isDirectory()) next.push({ path: relative, rules: all })
        else if (item.isFile()) files.push(relative)
      }
    }
    folders = next
  }
  return files.slice(0, MOST_FILES)
}

/** The innermost `.gitignore` that says anything decides, as git has it. */
function isIgnored(path: string, isFolder: boolean, all: readonly Rules[]): boolean {
  for (const { base, rules } of [...all].reverse()) {
    const inside = base === '' ? path : path.slice(base.length + 1)
    const { ignored, unignored } = rules.test(isFolder ? `${inside}/` : inside)
    if (ignored) return true
    if (unignored) return false
  }
  return false
}
