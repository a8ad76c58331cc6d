import { dirname } from 'node:path'
import type { Clock } from '../base/clock.ts'
import { messageOf } from '../base/errors.ts'
import type { FileDoor } from './file-door.ts'

/** A file that lines are appended to. Nothing here throws. */
export interface SessionLog {
  /** Writes a line, which ends in a line feed, after all before it; it is with the system when this returns (SES-1). */
  append(line: string): void
  /** Whether everything that was appended is in the file; true before the first line. */
  written(): boolean
  /** Bytes in the file. */
  size(): number
  /** Tries once more to write what waits, and closes. */
  close(): void
}

/** What a log is made with. */
export interface SessionLogDeps {
  readonly path: string
  readonly door: FileDoor
  readonly clock: Clock
  /** Bytes that are in the file and sound; 0 for a new one. */
  readonly size: number
  /** Runs once before the first write; a throw counts as a failed write. */
  readonly beforeFirst?: () => void
  /** Writing failed; the lines are kept and written when it can be (SES-4). Told once for each trouble. */
  readonly onTrouble: (why: string) => void
  /** What waited was written after all. */
  readonly onRecovered: () => void
}

const FIRST_RETRY_MS = 1_000
const LAST_RETRY_MS = 30_000

/** Makes a log. Nothing is touched before the first line. */
export function createSessionLog(deps: SessionLogDeps): SessionLog {
  const { door, clock } = deps
  let waiting: string[] = []
  let file: number | undefined
  let { size } = deps
  let prepared = false
  // A new file gets its name once its first line is in it: a kill between leaves no empty session behind.
  let placed = deps.size > 0
  const draft = `${deps.path}.new`
  let torn = false
  let retryMs = 0
  let cancelRetry = () => {}

  const opened = (): number => {
    if (!prepared) {
      door.makeFolder(dirname(deps.path))
      deps.beforeFirst?.()
      prepared = true
    }
    file ??= door.open(placed ? deps.path : draft)
    return file
  }

  const writeWhole = (at: number, line: string) => {
    const bytes = Buffer.from(line, 'utf8')
    for (let done = 0; done < bytes.length; ) {
      torn = true
      const count = door.write(at, bytes.subarray(done))
      if (count <= 0) throw new Error('the system wrote nothing')
      done += count
    }
    torn = false
    size += bytes.length
  }

  const drain = () => {
    const at = opened()
    // What a failed write left behind would swallow the line after it.
    if (torn) door.truncate(at, size)
    torn = false
    while (waiting[0] !== undefined) {
      writeWhole(at, waiting[0])
      waiting.shift()
    }
    if (!placed && size > 0) {
      door.place(draft, deps.path)
      placed = true
    }
  }

  const attempt = () => {
    cancelRetry()
    try {
      drain()
      if (retryMs > 0) deps.onRecovered()
      retryMs = 0
    } catch (thrown) {
      if (retryMs === 0) deps.onTrouble(messageOf(thrown))
      retryMs = Math.min(LAST_RETRY_MS, Math.max(FIRST_RETRY_MS, retryMs * 2))
      cancelRetry = clock.after(retryMs, attempt, { background: true })
    }
  }

  return {
    append(line) {
      waiting.push(line)
      attempt()
    },
    written: () => waiting.length === 0 && (placed || size === 0),
    size: () => size,
    close() {
      if (waiting.length > 0 || (!placed && size > 0)) attempt()
      cancelRetry()
      if (file !== undefined) door.close(file)
      file = undefined
      waiting = []
    },
  }
}
