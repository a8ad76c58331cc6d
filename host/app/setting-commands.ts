import { readSettings, type Setting, settingText } from '../../manifests/setting-tree.ts'
import type { ConfigStore } from '../base/config.ts'
import { AmberError } from '../base/errors.ts'
import { table } from '../base/table.ts'
import type { CoreHandler } from '../command/dispatch.ts'
import type { RunChoice } from './run-choice.ts'

/** Which setting a command is about, by dotted path (bundled-plugins 8). */
const SETTINGS: Readonly<Record<string, string>> = {
  'reasoning.effort': 'reasoningEffort',
  'compression.enabled': 'compression.enabled',
  'compression.threshold': 'compression.threshold',
  'compression.min_turns': 'compression.minTurns',
  'detection.loop': 'detection.loop',
  'detection.duplicate': 'detection.duplicate',
  'display.markdown': 'display.markdown',
  'display.ascii': 'display.ascii',
  'display.plain': 'display.plain',
  'subagent.parallel': 'subagents.parallel',
  'subagent.max': 'subagents.maxRounds',
  'policy.approval': 'approval.questions',
  'policy.timeout': 'approval.timeoutSeconds',
}

/** Read at each use, so that a change holds at once. */
const READ_EACH_TIME: ReadonlySet<string> = new Set(['subagents.parallel'])

/** What commands about settings work on. */
export interface SettingCommandDeps {
  readonly config: ConfigStore
  /** What the command line or the environment says for this run, by key; it wins over the file. */
  readonly given: RunChoice['settings']
  /** Tells whoever shows or uses a setting that it changed; true when the change holds from now on. */
  readonly changed: (key: string) => Promise<boolean>
}

/** `/get` and `/set` of what `config.json` keeps, and `/settings`. */
export function settingCommands(deps: SettingCommandDeps): ReadonlyMap<string, CoreHandler> {
  const { config } = deps
  const all = readSettings()
  const byKey = new Map(all.map((setting) => [setting.key, setting]))
  const rows = async (keys: readonly string[]) => {
    const cells = keys.flatMap((key) => byKey.get(key) ?? []).map((one) => row(deps, one))
    return table(await Promise.all(cells)).trimEnd()
  }
  const everything = () => rows(all.map(({ key }) => key))
  const set = async (key: string, text: string) => {
    await config.set(key, written(byKey.get(key), text))
    const value = await config.get(key)
    const shown = value === undefined ? "amber's own again" : settingText(value)
    const isNow = (await deps.changed(key)) || READ_EACH_TIME.has(key)
    const next = key.startsWith('display.') ? 'start' : 'conversation'
    const when = isNow ? 'now' : `from the next ${next} on`
    const over = deps.given[key]
    return `${key} is ${shown} ${when}.${over === undefined ? '' : ` In this run ${over.source} says ${over.value}.`}`
  }
  const setter =
    (key: string): CoreHandler =>
    ({ text }) =>
      text === '' ? rows([key]) : set(key, text)

  const commands = new Map<string, CoreHandler>([
    ['settings', everything],
    ['get.config', everything],
    ['set.config', everything],
    [
      'set.default',
      ({ text }) => {
        if (text !== '') return set(text, 'null')
        throw new AmberError('failed', 'No setting was named.', 'See them all: /settings')
      },
    ],
  ])
  for (const { key } of all) {
    commands.set(`get.config.${key}`, () => rows([key]))
    commands.set(`set.config.${key}`, setter(key))
  }
  for (const [path, key] of Object.entries(SETTINGS)) {
    const [group = ''] = path.split('.')
    const keys = Object.entries(SETTINGS).flatMap(([other, one]) =>
      other.startsWith(`${group}.`) ? [one] : [],
    )
    if (group !== 'policy') commands.set(`get.${group}`, () => rows(keys))
    commands.set(`set.${path}`, setter(key))
  }
  return commands
}

/** What is stored for what was typed: only where a switch is meant, `on` and `off` are yes and no. */
function written(setting: Setting | undefined, text: string): string {
  const isSwitch = setting?.node.choices?.join() === 'on,off'
  return isSwitch && (text === 'on' || text === 'off') ? String(text === 'on') : text
}

/** Key, value, and where the value comes from. */
async function row({ config, given }: SettingCommandDeps, { key, fallback }: Setting) {
  const here = given[key]
  if (here !== undefined) return [key, here.value, here.source]
  const value = await config.get(key)
  if (value !== undefined) return [key, settingText(value), 'config.json']
  return fallback === undefined ? [key, '-', 'not set'] : [key, settingText(fallback), 'default']
}
