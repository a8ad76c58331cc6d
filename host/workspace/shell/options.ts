import type { KnownCommand } from './known-commands.ts'

/** Which of its words makes a known command do more than it says; undefined when none does. */
export function telltale(command: KnownCommand, words: readonly string[]): string | undefined {
  let onlyOperands = false
  let operands = 0
  for (const word of words) {
    if (command.words?.includes(word)) return word
    if (!onlyOperands && word === '--') onlyOperands = true
    else if (!onlyOperands && word.startsWith('--')) {
      if (isForbiddenLong(command, word)) return word
    } else if (!onlyOperands && word.startsWith('-') && word.length > 1) {
      if ([...word.slice(1)].some((letter) => command.short?.includes(letter))) return word
    } else operands++
  }
  if (command.operands !== undefined && operands > command.operands) return words.at(-1)
  if (command.accepts !== undefined && !command.accepts(words)) return words[0] ?? 'nothing'
  return undefined
}

/** GNU's long options may be cut short, so every beginning of a forbidden one counts. */
function isForbiddenLong({ long = [] }: KnownCommand, word: string): boolean {
  const name = word.slice(2).split('=', 1)[0] ?? ''
  return name !== '' && long.some((one) => one.startsWith(name))
}

/**
 * The words that may be paths. The first operand of a command with a pattern is none, unless an option gives the
 * pattern (`-e`, `-f`, `--regexp`, `--file…`): then every operand may be one.
 */
export function pathWords<Kind extends { readonly text: string }>(
  command: KnownCommand,
  words: readonly Kind[],
): readonly Kind[] {
  if (command.paths === 'none') return []
  const kept = command.delimiter ? words.filter(({ text }) => text !== '/') : words
  if (command.paths !== 'pattern' || words.some(({ text }) => givesPattern(text))) return kept
  const pattern = kept.find(({ text }) => !text.startsWith('-'))
  return kept.filter((word) => word !== pattern)
}

function givesPattern(text: string): boolean {
  return /^-[^-]*[ef]/.test(text) || /^--(e|f|r|t)/.test(text) || text === '--'
}
