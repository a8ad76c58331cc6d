import type { Snapshot } from '../registry/snapshot.ts'

/** The same tools without those that start sub-agents, and without their plugins' prose (PRM-4): none is nested. */
export function childSnapshot(snapshot: Snapshot): Snapshot {
  const withheld = [...snapshot.tools.values()].filter((tool) => tool.requires?.includes('subagents'))
  if (withheld.length === 0) return snapshot
  const plugins = new Set(withheld.map((tool) => tool.plugin))
  return {
    ...snapshot,
    tools: new Map([...snapshot.tools].filter(([, tool]) => !withheld.includes(tool))),
    promptBlocks: snapshot.promptBlocks.filter((block) => !plugins.has(block.plugin)),
  }
}
