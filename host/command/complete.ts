import type { CommandNode } from '../../manifests/command-node.ts'
import { argumentText, manualPage } from './page.ts'
import { matchChild, resolveLine } from './resolve.ts'
import { type CommandTree, rootNodes } from './tree.ts'
import { plainWords } from './words.ts'

/** What lives and can be chosen by name: `providers`, `models`, `plugins`, … An unknown source is empty. */
export type LiveChoices = (source: string) => readonly string[]

/** One way to go on. */
export interface CompletionItem {
  readonly text: string
  readonly help: string
  /** Whose root it is, for the drawer; undefined for amber's own and for arguments. */
  readonly plugin: string | undefined
}

/** The ways to complete the word at a line's end. */
export interface Completions {
  /** Where in the line the word begins. */
  readonly start: number
  readonly word: string
  /** The path before the word. */
  readonly path: readonly string[]
  readonly items: readonly CompletionItem[]
  /** What the argument may be, where no list of names says it: `Takes a whole number from 1 to 9.`; else `''`. */
  readonly expected: string
}

/** Completes a line, given up to the cursor and with its slash, from the tree of this moment (CMD-6). */
export function completeLine(tree: CommandTree, line: string, live: LiveChoices): Completions {
  const offset = /^\s*\/?/.exec(line)?.[0].length ?? 0
  const words = plainWords(line.slice(offset))
  const atBlank = words.length === 0 || /\s$/.test(line)
  const word = atBlank ? '' : (words.at(-1)?.text ?? '')
  const before = atBlank ? words : words.slice(0, -1)
  const start = line.length - word.length
  const path: string[] = []
  let node: CommandNode | undefined
  let children: CommandNode['children'] = rootNodes(tree)
  for (const { text } of before) {
    const match = matchChild(children, text)
    if (match.kind !== 'one') return { start, word, path, items: [], expected: '' }
    path.push(match.name)
    node = match.node
    children = node.children
  }
  const plugin = path[0] === undefined ? undefined : tree.get(path[0])?.plugin
  const items = [
    ...Object.entries(children ?? {}).map(([text, child]) => ({
      text,
      help: child.help,
      plugin: path.length === 0 ? tree.get(text)?.plugin : plugin,
    })),
  ].filter((item) => item.text.startsWith(word))
  const found = [...items, ...choicesLike(word, choicesOf(node, live))]
  const expected = found.length === 0 && node !== undefined ? argumentText(node) : ''
  return { start, word, path, items: found, expected }
}

/** Those that begin with the word, then those that have it elsewhere: a model's name begins with its maker's. */
function choicesLike(word: string, choices: readonly string[]): readonly CompletionItem[] {
  const wanted = word.toLowerCase()
  const begins = choices.filter((text) => text.startsWith(word))
  const holds = choices.filter((text) => !text.startsWith(word) && text.toLowerCase().includes(wanted))
  return [...begins, ...holds].map((text) => ({ text, help: '', plugin: undefined }))
}

function choicesOf(node: CommandNode | undefined, live: LiveChoices): readonly string[] {
  if (node === undefined) return []
  return [...(node.choices ?? []), ...(node.choicesFrom === undefined ? [] : live(node.choicesFrom))]
}

/** The page that `?` after a blank opens: of the path so far, or undefined when there is none. */
export function pageAt(tree: CommandTree, line: string): string | undefined {
  const found = resolveLine(tree, line.replace(/\?\s*$/, ''))
  return found.kind === 'found' ? manualPage(found.path, found.node) : undefined
}
