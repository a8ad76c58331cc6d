import type { Effect } from './effect.ts'

/** One part of a command with what it does. */
export interface JudgedPart {
  readonly effect: Effect
  /** What of it, for people: `git push`, `cat /etc/hosts`. */
  readonly what: string
  /** What a rule for it covers. */
  readonly scope: string
  /** For a git command that is free: where it may work, and what to write into it. */
  readonly git?: GitPart
}

/** A git command that runs without a question, to be kept from the repository's own programs. */
export interface GitPart {
  /** Real paths of the folders that it may work in. */
  readonly folders: readonly string[]
  /** Where in the command the options go, and which. */
  readonly position: number
  readonly safely: readonly string[]
  /** It stores what it reads: a filter of the repository's cannot just be left out. */
  readonly stores: boolean
}
