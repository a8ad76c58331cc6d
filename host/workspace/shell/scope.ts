import { createHash } from 'node:crypto'
import type { Effect } from './effect.ts'
import { RUNNERS, WITH_SUBCOMMANDS } from './known-commands.ts'

/** A part that asks, as its scope needs it. */
export interface ScopedPart {
  /** The part as it is written. */
  readonly text: string
  readonly effect: Effect
  /** Its words; `undefined` for one that depends on the shell's state. */
  readonly words: readonly (string | undefined)[]
  /** It sets variables, holds a substitution, or is no simple command. */
  readonly isIntricate: boolean
}

const LONGEST = 200

/**
 * What a rule for this part covers: the command, with its subcommand where it has one (`git push`, `npm run build`), or
 * exactly what is written, where the words alone do not say what happens.
 */
export function scopeOf({ text, effect, words, isIntricate }: ScopedPart): string {
  const [name, sub, target] = words
  const exact = exactScope(text)
  if (isIntricate || effect === 'outside' || name === undefined || RUNNERS.has(name)) return exact
  if (name.includes('/') && !WITH_SUBCOMMANDS.has(name)) return exact
  if (!WITH_SUBCOMMANDS.has(name)) return name
  if (sub === undefined || !/^[a-zA-Z0-9][\w:.@/-]*$/.test(sub)) return words.length === 1 ? name : exact
  if (sub !== 'run' && sub !== 'exec') return `${name} ${sub}`
  return target !== undefined && sub === 'run' && /^[\w:.-]+$/.test(target) && !target.startsWith('-')
    ? `${name} ${sub} ${target}`
    : exact
}

/** The scope of exactly this text. A long one is told by its hash. */
export function exactScope(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const isSame = line === text && line.length <= LONGEST
  if (isSame) return line
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12)
  return `${line.slice(0, 60)}… #${hash}`
}
