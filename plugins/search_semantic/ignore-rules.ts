import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import ignore, { type Ignore } from 'ignore'

const IGNORE_FILES = ['.gitignore', '.ignore', '.rgignore'] as const

/** Bytes of one ignore file that are read as rules. */
const RULES_BYTES = 1024 * 1024

/** The rules of one folder, and of those above it that have some. */
export interface IgnoreRules {
  readonly folder: string
  readonly rules: Ignore
  readonly above: IgnoreRules | undefined
}

/** The rules that hold in a folder whose entries have these names. */
export function rulesIn(
  folder: string,
  names: ReadonlySet<string>,
  above: IgnoreRules | undefined,
): IgnoreRules | undefined {
  const texts = IGNORE_FILES.filter((name) => names.has(name)).map((name) => readRules(join(folder, name)))
  if (texts.length === 0) return above
  return { folder, rules: ignore({ ignorecase: false }).add(texts.join('\n')), above }
}

/** The rules of the folders above, up to the repository's root; none outside of a repository. */
export function rulesAbove(folder: string): IgnoreRules | undefined {
  const folders: string[] = []
  for (let at = folder; ; at = dirname(at)) {
    if (at !== folder) folders.unshift(at)
    if (existsSync(join(at, '.git'))) break
    if (dirname(at) === at) return undefined
  }
  return folders.reduce<IgnoreRules | undefined>(
    (above, at) => rulesIn(at, new Set(IGNORE_FILES.filter((name) => existsSync(join(at, name)))), above),
    undefined,
  )
}

/** Whether an entry is left out: the nearest folder's word counts. */
export function isIgnored(rules: IgnoreRules | undefined, path: string, isFolder: boolean): boolean {
  for (let at = rules; at; at = at.above) {
    const shown = relative(at.folder, path).split(sep).join('/')
    const verdict = at.rules.test(isFolder ? `${shown}/` : shown)
    if (verdict.ignored) return true
    if (verdict.unignored) return false
  }
  return false
}

function readRules(path: string): string {
  try {
    return readFileSync(path)
      .subarray(0, RULES_BYTES)
      .toString('utf8')
      .replace(/^\ufeff/, '')
  } catch {
    return ''
  }
}
