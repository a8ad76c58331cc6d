import type { PluginInfo } from '../../plugin/live-plugin.ts'

/** One line of `plugin list --json` (interfaces 2). */
export function listed(plugin: PluginInfo) {
  const { id, name, version, category, source, path, state, enabled, reason } = plugin
  return {
    id,
    name,
    version,
    category,
    source,
    path,
    state,
    enabled,
    ...(reason === undefined ? {} : { reason }),
  }
}

/** `plugin info --json`: the same with everything that the plugin contributes. */
export function described(plugin: PluginInfo) {
  return {
    ...listed(plugin),
    contributions: plugin.contributions.map(({ kind, name, generation, status, reason }) => ({
      kind,
      name,
      generation,
      status,
      ...(reason === undefined ? {} : { reason }),
    })),
  }
}

/** A value as `--json` prints it. */
export function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
