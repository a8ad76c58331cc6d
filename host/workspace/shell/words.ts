import type { Word, WordPart } from 'unbash'

/** What a word says before the shell runs. */
export interface PlainWord {
  /** With its quotes taken off. */
  readonly text: string
  /** It holds `*`, `?` or `[…]` that the shell expands to names of files. */
  readonly isPattern: boolean
}

/** The parts that say the same to every shell, whatever its state. */
const PLAIN = new Set<WordPart['type']>(['Literal', 'SingleQuoted', 'DoubleQuoted', 'Glob'])

/** A word's text when nothing in it depends on the shell's state; undefined when something does. */
export function plainWord(word: Word): PlainWord | undefined {
  const { parts } = word
  if (parts === undefined) return { text: word.value, isPattern: false }
  if (!parts.every(isPlain)) return undefined
  return { text: word.value, isPattern: parts.some((part) => part.type === 'Glob') }
}

function isPlain(part: WordPart): boolean {
  if (!PLAIN.has(part.type)) return false
  if (part.type === 'DoubleQuoted') return part.parts.every((inner) => inner.type === 'Literal')
  return part.type !== 'Glob' || part.kind !== 'bracket' || part.parts.every(isPlain)
}

/**
 * Whether everything in a word is harmless to expand where the result is only printed: plain text, patterns, and
 * variables by their names. `${x@P}`, `${!x}`, subscripts and arithmetic can run commands that a variable holds.
 */
export function isPrintable(word: Word): boolean {
  return (word.parts ?? []).every(isPrintablePart)
}

function isPrintablePart(part: WordPart): boolean {
  switch (part.type) {
    case 'SimpleExpansion':
      return true
    case 'DoubleQuoted':
      return part.parts.every(isPrintablePart)
    case 'BraceExpansion':
      return (part.parts ?? []).every(isPrintablePart)
    case 'ParameterExpansion':
      return part.prefix === undefined && part.index === undefined && part.operation === undefined
    default:
      return isPlain(part)
  }
}
