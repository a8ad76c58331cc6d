import { appendFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from './clock.ts'
import { makeFolder } from './make-folder.ts'

/** How much an entry matters. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** The log file of this user's ambers: `<state>/logs/amber.log`. Writing to it never throws and never waits. */
export interface Log {
  write(level: LogLevel, source: string, message: string): void
  /** Resolves when everything written so far is on disk or given up. */
  flush(): Promise<void>
}

const MAX_FILE_BYTES = 1024 * 1024
const MAX_ENTRY_CHARACTERS = 8 * 1024
const MAX_WAITING_BYTES = 256 * 1024

/**
 * Makes a log. Nothing is touched before the first entry. A full file moves to `amber.log.1`, so two megabytes are
 * the most it takes; entries beyond what the disk keeps up with are dropped and counted. `secrets` are masked (PRO-13).
 */
export function createLog(options: {
  readonly folder: string
  readonly clock: Clock
  readonly secrets?: () => readonly string[]
  readonly maxFileBytes?: number
}): Log {
  const path = join(options.folder, 'amber.log')
  const maxFileBytes = options.maxFileBytes ?? MAX_FILE_BYTES
  let waiting = ''
  let dropped = 0
  let writing: Promise<void> | undefined

  const drain = async () => {
    while (waiting !== '') {
      const text = waiting
      waiting = ''
      await append(path, text, { folder: options.folder, maxFileBytes })
    }
    writing = undefined
  }

  return {
    write(level, source, message) {
      if (waiting.length > MAX_WAITING_BYTES) {
        dropped++
        return
      }
      const note = dropped > 0 ? ` (${dropped} entries before this one were dropped)` : ''
      dropped = 0
      const entry = mask(message.slice(0, MAX_ENTRY_CHARACTERS), options.secrets?.() ?? [])
      const time = new Date(options.clock.now()).toISOString()
      waiting += `${time} ${level} ${source}: ${entry.replaceAll(/\r?\n/g, '\n    ')}${note}\n`
      writing ??= drain()
    },
    flush: () => writing ?? Promise.resolve(),
  }
}

async function append(
  path: string,
  text: string,
  options: { readonly folder: string; readonly maxFileBytes: number },
): Promise<void> {
  try {
    makeFolder(options.folder, { mode: 0o700 })
    const size = await stat(path).then(
      (found) => found.size,
      () => 0,
    )
    if (size > 0 && size + text.length > options.maxFileBytes) await rename(path, `${path}.1`)
    await appendFile(path, text, { mode: 0o600 })
  } catch {
    // A log that cannot be written must not become a second fault.
  }
}

function mask(text: string, secrets: readonly string[]): string {
  return secrets.reduce(
    (masked, secret) => (secret.length < 4 ? masked : masked.replaceAll(secret, '…')),
    text,
  )
}
