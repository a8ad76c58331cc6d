import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Diagnostic } from '../../manifests/diagnostic.ts'
import { isRecord } from '../../sdk/index.ts'
import { writeFileAtomic } from '../base/atomic-file.ts'
import { messageOf, systemCode } from '../base/errors.ts'
import { makeFolder } from '../base/make-folder.ts'

/** The user's on or off for each plugin, in `<config>/plugin-state/ID.json` (LED-8). */
export interface PluginStates {
  /**
   * On unless the user switched it off. A file that cannot be understood counts as off, for what was switched off must
   * not come back in silence; then `problems` says what is wrong with it (interfaces 3). Never rejects.
   */
  read(id: string): Promise<PluginSwitch>
  /** Remembers, beside what else the file says; throws a system error when it cannot be written. */
  setEnabled(id: string, enabled: boolean): Promise<void>
  /** Whether anything was written since the last call, by this process or another: one `stat`. */
  changed(): boolean
}

/** Whether a plugin is on, and what is wrong with the file that says so. */
export interface PluginSwitch {
  readonly enabled: boolean
  readonly problems: readonly Diagnostic[]
}

/** Reads and writes the states in a folder. */
export function createPluginStates(config: string): PluginStates {
  const folder = join(config, 'plugin-state')
  const fileOf = (id: string) => join(folder, `${id}.json`)
  let seen = modified(folder)
  return {
    async read(id) {
      const state = readState(fileOf(id))
      return state === undefined ? explain(id, fileOf(id)) : { enabled: state.enabled, problems: [] }
    },
    async setEnabled(id, enabled) {
      makeFolder(folder)
      const state = { ...readState(fileOf(id))?.said, enabled }
      await writeFileAtomic(fileOf(id), `${JSON.stringify(state)}\n`)
    },
    changed() {
      const now = modified(folder)
      const changed = now !== seen
      seen = now
      return changed
    },
  }
}

interface State {
  readonly enabled: boolean
  readonly said: Readonly<Record<string, unknown>>
}

const ABSENT: State = { enabled: true, said: {} }

/** The keys of `plugin-state.schema.json`, besides `x-…`. */
const KEYS: ReadonlySet<string> = new Set(['$schema', 'enabled', 'installed'])

/** What a file says; undefined when it is not understood. Plain JSON, for it is read at every start. */
function readState(file: string): State | undefined {
  try {
    const said: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (!isRecord(said) || !Object.keys(said).every((key) => KEYS.has(key) || key.startsWith('x-')))
      return undefined
    const { enabled = true } = said
    return typeof enabled === 'boolean' ? { enabled, said } : undefined
  } catch (thrown) {
    return systemCode(thrown) === 'ENOENT' ? ABSENT : undefined
  }
}

/** The diagnostics that a manifest with the mistake would get, with the commands that write the file anew. */
async function explain(id: string, file: string): Promise<PluginSwitch> {
  const remedy = `amber plugin on ${id}, or amber plugin off ${id}, writes it anew`
  const place = { severity: 'error', code: 'AMB3005', file, line: 1, column: 1, path: '' } as const
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (thrown) {
    const message = `the state of plugin ${id} cannot be read: ${messageOf(thrown)}`
    return { enabled: false, problems: [{ ...place, message, hint: remedy }] }
  }
  const { readConfigFile } = await import('../../manifests/read-config-file.ts')
  const { value, diagnostics } = await readConfigFile('pluginState', text, file)
  const problems = diagnostics.map((one) => ({ ...one, hint: one.hint ? `${one.hint}; ${remedy}` : remedy }))
  return { enabled: value !== undefined && value.enabled !== false, problems }
}

function modified(folder: string): number {
  try {
    return statSync(folder).mtimeMs
  } catch {
    return 0
  }
}
