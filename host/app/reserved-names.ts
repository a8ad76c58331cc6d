import type { CommandNode } from '../../manifests/command-node.ts'
import type { ReservedNames } from '../ledger/ledger.ts'

/** The owner of what no plugin may claim. */
export const CORE_OWNER = 'amber'

/** The names that are amber's own: the roots of its command tree with their aliases, and the shared protocol (LED-5). */
export function reservedNames(commands: Readonly<Record<string, CommandNode>>): ReservedNames {
  const roots = Object.entries(commands).flatMap(([root, node]) => [root, ...(node.aliases ?? [])])
  return new Map(
    [...roots.map((root) => `command:${root}`), 'flavor:openai'].map((claim) => [claim, CORE_OWNER]),
  )
}
