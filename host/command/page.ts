import type { CommandNode } from '../../manifests/command-node.ts'

/** The manual page of a path: what it does, how it is written, what stands below it. */
export function manualPage(path: readonly string[], node: CommandNode): string {
  const parts = [`/${path.join(' ')}${aliasText(node)}\n${node.help}`]
  if (node.man) parts.push(node.man.trim())
  const argument = argumentText(node)
  if (argument !== '') parts.push(argument)
  const children = listing(node.children ?? {})
  if (children !== '') parts.push(children)
  return parts.join('\n\n')
}

/** Names and help in two columns, one line each. */
export function listing(nodes: Readonly<Record<string, CommandNode>>): string {
  const entries = Object.entries(nodes)
  const width = Math.max(0, ...entries.map(([name]) => name.length))
  return entries.map(([name, node]) => `  ${name.padEnd(width)}  ${node.help}`).join('\n')
}

/** What the argument may be, as one line: `metric | imperial`, `a whole number from 1 to 9`. */
export function argumentText(node: CommandNode): string {
  if (node.choices !== undefined && node.choices.length > 0) return `One of: ${node.choices.join(' | ')}`
  if (node.type !== undefined) return `Takes ${numberText(node)}.`
  if (node.choicesFrom !== undefined) return `Takes one of the ${node.choicesFrom} there are.`
  return ''
}

/** `a whole number from 1 to 9`. */
export function numberText(node: CommandNode): string {
  const what = node.type === 'int' ? 'a whole number' : 'a number'
  return node.range === undefined ? what : `${what} from ${node.range[0]} to ${node.range[1]}`
}

function aliasText(node: CommandNode): string {
  return node.aliases !== undefined && node.aliases.length > 0 ? `  (also: ${node.aliases.join(', ')})` : ''
}
