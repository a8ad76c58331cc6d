import { type ConfigStore, configKeys } from '../base/config.ts'
import type { CoreHandler } from '../command/dispatch.ts'

/** Which setting a command is about, by dotted path (bundled-plugins 8). */
const SETTINGS: Readonly<Record<string, string>> = {
  'reasoning.effort': 'reasoningEffort',
  'compression.threshold': 'compression.threshold',
  'compression.min_turns': 'compression.minTurns',
  'detection.loop': 'detection.loop',
  'detection.duplicate': 'detection.duplicate',
  'display.markdown': 'display.markdown',
  'subagent.parallel': 'subagents.parallel',
  'subagent.max': 'subagents.maxRounds',
  'policy.timeout': 'approval.timeoutSeconds',
}

/** Those that show at once; the others are read when a conversation begins. */
const AT_ONCE: ReadonlySet<string> = new Set(['display.markdown'])

/** `/get` and `/set` of what `config.json` keeps, and `/settings`. */
export function settingCommands(config: ConfigStore): ReadonlyMap<string, CoreHandler> {
  const shown = async (key: string) => {
    const value = await config.get(key)
    return value === undefined ? 'not set' : typeof value === 'string' ? value : JSON.stringify(value)
  }
  const lines = async (keys: readonly string[]) => {
    const width = Math.max(0, ...keys.map((key) => key.length))
    const rows = keys.map(async (key) => `${key.padEnd(width)}  ${await shown(key)}`)
    return (await Promise.all(rows)).join('\n')
  }
  const commands = new Map<string, CoreHandler>([['settings', async () => lines(await configKeys())]])
  for (const [path, key] of Object.entries(SETTINGS)) {
    const [group = ''] = path.split('.')
    const keys = Object.entries(SETTINGS).flatMap(([other, one]) =>
      other.startsWith(`${group}.`) ? [one] : [],
    )
    if (group !== 'policy') commands.set(`get.${group}`, () => lines(keys))
    commands.set(`set.${path}`, async ({ text }) => {
      if (text === '') return lines([key])
      await config.set(
        key,
        text === 'on' ? 'true' : text === 'off' && key !== 'reasoningEffort' ? 'false' : text,
      )
      return `${key} is ${await shown(key)} ${AT_ONCE.has(path) ? 'now' : 'from the next conversation on'}.`
    })
  }
  return commands
}
