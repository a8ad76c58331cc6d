import type { KnownCommand } from './known-commands.ts'
import { telltale } from './options.ts'

/** What a git command does, by its words. */
export type GitJudged =
  | {
      /** Both run without a question. */
      readonly effect: 'read-only' | 'write'
      /** Where it works, if it says so (`-C`). */
      readonly folder: string | undefined
      /** Which of its words is the subcommand. */
      readonly at: number
      /** Options that keep the repository's own programs out of it, to stand right after the subcommand. */
      readonly safely: readonly string[]
    }
  | { readonly effect: 'unknown' | 'destructive'; readonly what: string }

/** A subcommand that only reads, when used as said. */
interface ReadingSubcommand extends Omit<KnownCommand, 'effect'> {
  readonly safely?: readonly string[]
}

const NO_DIFF_PROGRAMS = ['--no-ext-diff', '--no-textconv']
const NO_SUBMODULES = '--ignore-submodules=dirty'

/** What of any reading subcommand writes, or runs a program that a repository names. */
const FORBIDDEN_LONG = [
  'output',
  'ext-diff',
  'show-signature',
  'submodule',
  'recurse-submodules',
  'open-files-in-pager',
  'ext-grep',
]

const diffing: ReadingSubcommand = { safely: [...NO_DIFF_PROGRAMS, NO_SUBMODULES] }
const listing = (allowed: RegExp, operandsAfter: RegExp): ReadingSubcommand => ({
  accepts: (words) => acceptsListing(words, allowed, operandsAfter),
})

const BRANCH_OPTIONS =
  /^(-[arv]+|-l|--list|--all|--remotes|--show-current|--verbose|--(no-)?merged|--(no-)?contains|--points-at|--sort=.*|--format=.*|--(no-)?color|--(no-)?column)$/
const TAG_OPTIONS =
  /^(-l|--list|-n\d*|--(no-)?merged|--(no-)?contains|--points-at|--sort=.*|--format=.*|--(no-)?color|--(no-)?column)$/
const LIST_WORDS = /^(-l|--list|--(no-)?merged|--(no-)?contains|--points-at)$/

const READING: ReadonlyMap<string, ReadingSubcommand> = new Map(
  Object.entries<ReadingSubcommand>({
    status: { short: 'v', long: ['verbose'], safely: [NO_SUBMODULES] },
    diff: diffing,
    log: { safely: NO_DIFF_PROGRAMS },
    show: { safely: NO_DIFF_PROGRAMS },
    'diff-tree': diffing,
    'diff-index': diffing,
    'diff-files': diffing,
    blame: { safely: ['--no-textconv'] },
    'rev-parse': {},
    'rev-list': {},
    'ls-files': {},
    'ls-tree': {},
    'cat-file': { long: ['textconv', 'filters', 'path'] },
    describe: {},
    'name-rev': {},
    'merge-base': {},
    shortlog: {},
    grep: { short: 'O', long: ['textconv'], paths: 'pattern' },
    'show-ref': {},
    'for-each-ref': {},
    'count-objects': {},
    'check-ignore': {},
    'check-attr': {},
    version: {},
    branch: listing(BRANCH_OPTIONS, LIST_WORDS),
    tag: listing(TAG_OPTIONS, LIST_WORDS),
    remote: {
      accepts: ([first]) =>
        first === undefined || first === '-v' || first === '--verbose' || first === 'get-url',
    },
    stash: { accepts: (words) => words.length === 1 && words[0] === 'list' },
    worktree: { accepts: ([first]) => first === 'list' },
    reflog: {
      accepts: ([first, ...rest]) =>
        first === undefined || (first === 'show' && rest.every((word) => /^[^-]|^-n$|^-\d+$/.test(word))),
    },
    config: {
      accepts: ([first, ...rest]) =>
        /^(-l|--list|--get|--get-all|--get-regexp|get|list)$/.test(first ?? '') &&
        rest.every(
          (word) =>
            !word.startsWith('-') || /^--(local|null|name-only|show-origin|show-scope|bool|int)$/.test(word),
        ),
    },
  }),
)

/** An operand names a new branch or tag, unless a word before it makes the command a list. */
function acceptsListing(words: readonly string[], allowed: RegExp, listWords: RegExp): boolean {
  const lists = words.some((word) => listWords.test(word.split('=', 1)[0] ?? ''))
  return words.every((word) =>
    word.startsWith('-') ? allowed.test(word) || listWords.test(word.split('=', 1)[0] ?? '') : lists,
  )
}

const DESTRUCTIVE = new Set([
  ...[
    'push',
    'reset',
    'clean',
    'restore',
    'rebase',
    'filter-branch',
    'filter-repo',
    'gc',
    'prune',
    'update-ref',
  ],
  ...['rm', 'reflog', 'replace', 'fsck-objects'],
])

/** Words by which a subcommand that only asks becomes one that destroys. */
const DESTROYING: Readonly<Record<string, RegExp>> = {
  branch: /^(-[a-zA-Z]*[dDmMfC]|--delete|--force|--move)/,
  tag: /^(-[a-zA-Z]*[df]|--delete|--force)/,
  stash: /^(drop|clear|pop)$/,
  worktree: /^(remove|prune)$/,
  checkout: /^(--|-f|--force|\.)$/,
  switch: /^(-f|--force|--discard-changes|-C)$/,
  remote: /^(remove|rm|prune)$/,
}

/** What a git command does; `words` are those after `git`, all plain. */
export function judgeGit(words: readonly string[]): GitJudged {
  const start = readGlobals(words)
  const sub = start === undefined ? undefined : words[start.at]
  if (start === undefined || sub === undefined || sub.startsWith('-')) {
    return words.length === 1 && words[0] === '--version'
      ? { effect: 'read-only', folder: undefined, at: 0, safely: [] }
      : { effect: 'unknown', what: 'git with options of its own' }
  }
  const rest = words.slice(start.at + 1)
  const reading = READING.get(sub)
  if (reading !== undefined && isReading(reading, rest))
    return { effect: 'read-only', ...start, safely: reading.safely ?? [] }
  if (DESTRUCTIVE.has(sub) || rest.some((word) => DESTROYING[sub]?.test(word)))
    return { effect: 'destructive', what: `git ${sub}` }
  if (sub === 'add') return { effect: 'write', ...start, safely: [] }
  return { effect: 'unknown', what: `git ${sub}` }
}

/** Whether a reading subcommand's first operand is a pattern and no path. */
export function hasPattern(sub: string): boolean {
  return READING.get(sub)?.paths === 'pattern'
}

function isReading(reading: ReadingSubcommand, words: readonly string[]): boolean {
  const { safely: _, ...known } = reading
  const long = [...FORBIDDEN_LONG, ...(reading.long ?? [])]
  // `%G?` in a format asks the program that a repository names for signatures.
  if (words.some((word) => word.includes('%G'))) return false
  // `--text` is an option of its own, and no beginning of `--textconv`.
  const asked = words.filter((word) => word !== '--text')
  return telltale({ effect: 'read-only', ...known, long }, asked) === undefined
}

/** Git's own options before the subcommand: where it works, and harmless ones. Every other may name programs. */
function readGlobals(
  words: readonly string[],
): { readonly at: number; readonly folder: string | undefined } | undefined {
  let folder: string | undefined
  let at = 0
  for (; at < words.length; at++) {
    const word = words[at]
    if (word === '-C' && folder === undefined) {
      folder = words[++at]
      if (folder === undefined || folder === '') return undefined
    } else if (word !== '--no-pager' && word !== '--no-optional-locks' && word !== '-P') break
  }
  return { at, folder }
}
