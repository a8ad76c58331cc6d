import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { isRecord } from '../../sdk/index.ts'
import type { Clock } from '../base/clock.ts'
import { type Dispose, once } from '../base/disposable.ts'
import { systemCode } from '../base/errors.ts'
import { withFileLock } from '../base/file-lock.ts'

/** Who holds a lock. */
export interface LockHolder {
  readonly pid: number
  readonly host: string
  /** When the process started, as Linux counts it; empty where nobody says. Tells a process from a later one of its number. */
  readonly started: string
}

/** A lock that is ours now, or whose it is. */
export type TakenLock =
  | { readonly kind: 'ours'; readonly release: Dispose }
  | { readonly kind: 'held'; readonly by: LockHolder }

/**
 * Takes the lock of a session for as long as this process uses it (SES-3). A lock whose process is gone is taken over;
 * one of another machine counts as held, for nobody can ask after its process.
 */
export async function takeSessionLock(lock: string, clock: Clock): Promise<TakenLock> {
  const first = tryLock(lock)
  if (first.kind === 'ours' || isLive(first.by)) return first
  // Two may find the same stale lock: one at a time looks again and takes it over.
  return withFileLock(lock, clock, async () => {
    const again = tryLock(lock)
    if (again.kind === 'ours' || isLive(again.by)) return again
    rmSync(lock, { force: true })
    return tryLock(lock)
  })
}

/** Takes a lock that nobody holds, at once. Throws the system's error when the file cannot be made. */
export function tryLock(lock: string): TakenLock {
  // Linked into place, so that a lock is never seen without its holder's name in it.
  const own = `${lock}.${process.pid}.${randomBytes(4).toString('hex')}`
  writeFileSync(own, JSON.stringify(me()), { mode: 0o600, flag: 'wx' })
  try {
    linkSync(own, lock)
  } catch (thrown) {
    if (systemCode(thrown) === 'EEXIST') return { kind: 'held', by: readHolder(lock) }
    throw thrown
  } finally {
    rmSync(own, { force: true })
  }
  return { kind: 'ours', release: once(() => rmSync(lock, { force: true })) }
}

/** Whether somebody who lives holds a lock. */
export function isLocked(lock: string): boolean {
  try {
    readFileSync(lock)
  } catch {
    return false
  }
  return isLive(readHolder(lock))
}

function me(): LockHolder {
  return { pid: process.pid, host: hostname(), started: startOf(process.pid) ?? '' }
}

function readHolder(lock: string): LockHolder {
  try {
    const value: unknown = JSON.parse(readFileSync(lock, 'utf8'))
    if (!isRecord(value)) return NOBODY
    const { pid, host, started } = value
    if (typeof pid !== 'number' || typeof host !== 'string' || typeof started !== 'string') return NOBODY
    return { pid, host, started }
  } catch {
    return NOBODY
  }
}

/** What stands in the lock is no holder. */
const NOBODY: LockHolder = { pid: 0, host: '', started: '' }

function isLive({ pid, host, started }: LockHolder): boolean {
  if (pid === 0) return false
  if (host !== hostname()) return true
  try {
    process.kill(pid, 0)
  } catch (thrown) {
    if (systemCode(thrown) === 'ESRCH') return false
  }
  const now = startOf(pid)
  return started === '' || now === undefined || now === started
}

/** Field 22 of /proc/PID/stat; the name before it may hold blanks and brackets. Undefined where there is no /proc. */
function startOf(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}
