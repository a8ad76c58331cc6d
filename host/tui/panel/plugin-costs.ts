import type { Snapshot } from '../../registry/snapshot.ts'

/** What each plugin adds to a request, in tokens, estimated: its tools' schemas and its prompt blocks. */
export interface PluginCosts {
  /** Undefined: not estimated yet. */
  of(plugin: string): number | undefined
  /** Of all plugins together. */
  total(): number | undefined
  /** Estimates anew where the snapshot is another one. */
  refresh(): void
}

/** Makes one; nothing is estimated before it is asked to. */
export function createPluginCosts(snapshot: () => Snapshot, onChange: () => void): PluginCosts {
  let costs = new Map<string, number>()
  let generation = -1
  const estimate = async (of: Snapshot) => {
    const { estimateTokenCount } = await import('tokenx')
    const next = new Map<string, number>()
    const add = (plugin: string, text: string) =>
      next.set(plugin, (next.get(plugin) ?? 0) + estimateTokenCount(text))
    for (const { plugin, name, description, parameters } of of.tools.values())
      add(plugin, JSON.stringify({ name, description, parameters }))
    for (const block of of.promptBlocks) {
      const outcome = await block.render()
      if (outcome.kind === 'value' && outcome.value !== '') add(block.plugin, outcome.value)
    }
    costs = next
    onChange()
  }
  return {
    of: (plugin) => (generation < 0 || costs.size === 0 ? undefined : (costs.get(plugin) ?? 0)),
    total: () => (costs.size === 0 ? undefined : [...costs.values()].reduce((sum, one) => sum + one, 0)),
    refresh() {
      const now = snapshot()
      if (now.generation === generation) return
      generation = now.generation
      void estimate(now).catch(() => undefined)
    },
  }
}
