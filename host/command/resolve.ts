import type { CommandNode } from '../../manifests/command-node.ts'
import { nearestNames } from '../base/nearest.ts'
import { type CommandTree, rootNodes } from './tree.ts'
import { bareLine, plainWords } from './words.ts'

/** Where a line leads. */
export type Resolution =
  | {
      readonly kind: 'found'
      /** Full names, aliases and prefixes spelt out; the root first. */
      readonly path: readonly string[]
      readonly node: CommandNode
      /** Whose root it is; undefined for amber's own. */
      readonly plugin: string | undefined
      /** What follows the path, trimmed. */
      readonly argument: string
    }
  | {
      readonly kind: 'ambiguous'
      /** The path before the word. */
      readonly path: readonly string[]
      readonly word: string
      readonly candidates: readonly string[]
    }
  | { readonly kind: 'unknown'; readonly word: string; readonly nearest: readonly string[] }
  | { readonly kind: 'empty' }

/** What a word means among the children of a node. */
export type Match =
  | { readonly kind: 'one'; readonly name: string; readonly node: CommandNode }
  | { readonly kind: 'many'; readonly names: readonly string[] }
  | { readonly kind: 'none' }

/** Exact child or alias, else an unambiguous prefix of a name (bundled-plugins 8). */
export function matchChild(children: CommandNode['children'], word: string): Match {
  const entries = Object.entries(children ?? {})
  const exact =
    entries.find(([name]) => name === word) ?? entries.find(([, node]) => node.aliases?.includes(word))
  if (exact !== undefined) return { kind: 'one', name: exact[0], node: exact[1] }
  const prefixed = entries.filter(([name]) => name.startsWith(word))
  const [only] = prefixed
  if (only === undefined) return { kind: 'none' }
  if (prefixed.length === 1) return { kind: 'one', name: only[0], node: only[1] }
  return { kind: 'many', names: prefixed.map(([name]) => name) }
}

/** Every word that a child answers to. */
export function namesOf(children: CommandNode['children']): readonly string[] {
  return Object.entries(children ?? {}).flatMap(([name, node]) => [name, ...(node.aliases ?? [])])
}

/** Finds the deepest node that a line names; the rest of the line is its argument. */
export function resolveLine(tree: CommandTree, line: string): Resolution {
  const bare = bareLine(line)
  const words = plainWords(bare)
  const [first] = words
  if (first === undefined) return { kind: 'empty' }
  const path: string[] = []
  let children: CommandNode['children'] = rootNodes(tree)
  let node: CommandNode | undefined
  let end = 0
  for (const word of words) {
    const match = matchChild(children, word.text)
    if (match.kind === 'many') {
      return { kind: 'ambiguous', path, word: word.text, candidates: match.names }
    }
    if (match.kind === 'none') break
    path.push(match.name)
    node = match.node
    children = match.node.children
    end = word.end
  }
  const [root] = path
  if (node === undefined || root === undefined) {
    return { kind: 'unknown', word: first.text, nearest: nearestNames(first.text, namesOf(children)) }
  }
  return { kind: 'found', path, node, plugin: tree.get(root)?.plugin, argument: bare.slice(end).trim() }
}
