import type { CommandNode } from '../../manifests/command-node.ts'
import type { Snapshot } from '../registry/snapshot.ts'

/** One root of the tree and whose it is: `undefined` is amber's own. */
export interface CommandRoot {
  readonly name: string
  readonly node: CommandNode
  readonly plugin: string | undefined
}

/** Every root by name, the core's first. */
export type CommandTree = ReadonlyMap<string, CommandRoot>

/**
 * The tree of this moment: amber's own roots and those of the snapshot. Pure, so whoever asks sees a toggle or a swap
 * at once (CMD-6). A core root or alias is never displaced (CMD-4).
 */
export function commandTree(
  core: Readonly<Record<string, CommandNode>>,
  snapshot: Pick<Snapshot, 'commands'>,
): CommandTree {
  const tree = new Map<string, CommandRoot>()
  for (const [name, node] of Object.entries(core)) tree.set(name, { name, node, plugin: undefined })
  const aliases = new Set(Object.values(core).flatMap((node) => node.aliases ?? []))
  for (const { root, node, plugin } of snapshot.commands.values()) {
    if (!tree.has(root) && !aliases.has(root)) tree.set(root, { name: root, node, plugin })
  }
  return tree
}

/** The roots as if they were the children of one node, for those who walk the tree. */
export function rootNodes(tree: CommandTree): Readonly<Record<string, CommandNode>> {
  return Object.fromEntries([...tree].map(([name, root]) => [name, root.node]))
}
