import { isPathLike, plainWord, type Token } from './sentence.ts'

/** The words of a step that no parameter has taken yet. */
export interface WordsLeft {
  readonly tokens: readonly Token[]
  take(token: Token): string
  /** The unquoted words that are left, from the first telling one to the last, as they were written. */
  text(): string
  quoted(): readonly Token[]
  paths(): readonly Token[]
}

/** Words that lead up to a value, or away from one, and are no part of it. */
const LEAD =
  /^(?:for|of|in|at|on|to|with|about|into|from|by|as|the|a|an|file|folder|command|text|word|string|pattern|content|contents|containing|saying|named|called|that|says|occurrences|and|me|up|like)$/i
const TRAIL = /^(?:in|at|to|from|with|into|for|on|and|as|of|the)$/i

/** Keeps account of a step's words; `step` is where they were written. */
export function createWordsLeft(step: string, given: readonly Token[]): WordsLeft {
  const left = new Set(given)
  const unquoted = () => [...left].filter((token) => !token.quoted)
  return {
    get tokens() {
      return [...left]
    },
    take(token) {
      left.delete(token)
      return token.quoted ? token.text : withoutEnd(token.text)
    },
    text() {
      const words = unquoted()
      while (words[0] !== undefined && LEAD.test(plainWord(words[0].text)) && words.length > 1) words.shift()
      while (words.length > 1 && TRAIL.test(plainWord(words.at(-1)?.text ?? ''))) words.pop()
      return withoutEnd(asWritten(step, words))
    },
    quoted: () => [...left].filter((token) => token.quoted),
    paths: () => unquoted().filter((token) => isPathLike(withoutEnd(token.text))),
  }
}

/** Neighbours keep what stood between them; others are joined by a blank. */
function asWritten(step: string, words: readonly Token[]): string {
  let text = ''
  let end: number | undefined
  for (const word of words) {
    const between = end === undefined ? '' : step.slice(end, word.start)
    text += (end === undefined ? '' : between.trim() === '' ? between : ' ') + word.text
    end = word.end
  }
  return text
}

function withoutEnd(text: string): string {
  return text.replace(/(?<=.)[.,;:!?]+$/, '')
}
