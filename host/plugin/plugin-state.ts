import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { writeFileAtomic } from '../base/atomic-file.ts'
import { makeFolder } from '../base/make-folder.ts'
import { isRecord } from '../base/values.ts'

/** The user's on or off for each plugin, in `<config>/plugin-state/ID.json` (LED-8). */
export interface PluginStates {
  /** On unless the user switched it off; an unreadable file counts as on. */
  isEnabled(id: string): boolean
  /** Remembers; throws a system error when it cannot be written. */
  setEnabled(id: string, enabled: boolean): Promise<void>
  /** Whether anything was written since the last call, by this process or another: one `stat`. */
  changed(): boolean
}

/** Reads and writes the states in a folder. */
export function createPluginStates(config: string): PluginStates {
  const folder = join(config, 'plugin-state')
  let seen = modified(folder)
  return {
    isEnabled(id) {
      try {
        const state: unknown = JSON.parse(readFileSync(join(folder, `${id}.json`), 'utf8'))
        return !(isRecord(state) && state.enabled === false)
      } catch {
        return true
      }
    },
    async setEnabled(id, enabled) {
      makeFolder(folder)
      await writeFileAtomic(join(folder, `${id}.json`), `${JSON.stringify({ enabled })}\n`)
    },
    changed() {
      const now = modified(folder)
      const changed = now !== seen
      seen = now
      return changed
    },
  }
}

function modified(folder: string): number {
  try {
    return statSync(folder).mtimeMs
  } catch {
    return 0
  }
}
