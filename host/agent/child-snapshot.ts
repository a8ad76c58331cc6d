import type { Snapshot } from '../registry/snapshot.ts'

/** The pointer that a sub-agent reads: the same object for as long as its parent's is. */
export function createChildSnapshots(parent: () => Snapshot): () => Snapshot {
  let made: { readonly of: Snapshot; readonly child: Snapshot } | undefined
  return () => {
    const of = parent()
    if (made?.of !== of) made = { of, child: childSnapshot(of) }
    return made.child
  }
}

/** The same tools without those that start sub-agents, and without their plugins' prose (PRM-4): none is nested. */
function childSnapshot(snapshot: Snapshot): Snapshot {
  const withheld = [...snapshot.tools.values()].filter((tool) => tool.requires?.includes('subagents'))
  if (withheld.length === 0) return snapshot
  const plugins = new Set(withheld.map((tool) => tool.plugin))
  return {
    ...snapshot,
    tools: new Map([...snapshot.tools].filter(([, tool]) => !withheld.includes(tool))),
    promptBlocks: snapshot.promptBlocks.filter((block) => !plugins.has(block.plugin)),
  }
}
