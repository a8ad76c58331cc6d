import type { CommandNode } from './command-node.ts'
import completions from './completions.json' with { type: 'json' }

/** Amber's own command tree, as completions.json writes it (bundled-plugins 8). Throws when that file is broken. */
export function coreTree(): Readonly<Record<string, CommandNode>> {
  const commands: unknown = completions.commands
  if (isTree(commands)) return commands
  throw new Error('manifests/completions.json is no command tree')
}

function isTree(value: unknown): value is Readonly<Record<string, CommandNode>> {
  return typeof value === 'object' && value !== null && Object.values(value).every(isNode)
}

/** The schema says more; this is what the host relies on. */
function isNode(value: unknown): value is CommandNode {
  if (typeof value !== 'object' || value === null || !('help' in value)) return false
  return typeof value.help === 'string' && (!('children' in value) || isTree(value.children))
}
