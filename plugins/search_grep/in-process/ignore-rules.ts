import { readFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import ignore, { type Ignore } from 'ignore'
import { hasGit } from '../find-git.ts'

/** The ignore files of ripgrep, the strongest first. */
const IGNORE_FILES = ['.rgignore', '.ignore', '.gitignore'] as const

/** Bytes of one ignore file that are read as rules. */
const RULES_BYTES = 1024 * 1024

/** The ignore files of one folder, and those of the folders above it. */
export interface IgnoreRules {
  readonly folder: string
  readonly rules: ReadonlyMap<string, Ignore>
  /** A repository begins here: `.gitignore` files above do not count. */
  readonly repository: boolean
  readonly above: IgnoreRules | undefined
}

/** Reads the rules of a folder below others. `inGit`: whether the search is in a repository at all. */
export async function readIgnoreRules(
  folder: string,
  above: IgnoreRules | undefined,
  inGit: boolean,
): Promise<IgnoreRules> {
  const rules = new Map<string, Ignore>()
  for (const name of IGNORE_FILES) {
    const text = await readRules(join(folder, name))
    if (text !== undefined) rules.set(name, ignore({ ignorecase: false }).add(text))
  }
  return { folder, rules, repository: inGit && (await hasGit(folder)), above }
}

/** The rules of a folder and of all folders above it, up to the file system's root. */
export async function readAllIgnoreRules(folder: string, inGit: boolean): Promise<IgnoreRules> {
  const parent = dirname(folder)
  const above = parent === folder ? undefined : await readAllIgnoreRules(parent, inGit)
  return readIgnoreRules(folder, above, inGit)
}

/** Whether an entry of a folder is left out: the nearest folder's word counts, per kind of ignore file. */
export function isIgnored(
  rules: IgnoreRules | undefined,
  entry: { readonly path: string; readonly folder: boolean },
): boolean {
  for (const name of IGNORE_FILES) {
    for (let at = rules; at; at = at.above) {
      const shown = relative(at.folder, entry.path).split(sep).join('/')
      const verdict = at.rules.get(name)?.test(entry.folder ? `${shown}/` : shown)
      if (verdict?.ignored) return true
      if (verdict?.unignored) return false
      if (name === '.gitignore' && at.repository) break
    }
  }
  return false
}

async function readRules(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path))
      .subarray(0, RULES_BYTES)
      .toString('utf8')
      .replace(/^\ufeff/, '')
  } catch {
    return undefined
  }
}
