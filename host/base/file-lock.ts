import { open, readFile, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Clock, wait } from './clock.ts'
import { AmberError, systemCode } from './errors.ts'
import { makeFolder } from './make-folder.ts'

const RETRY_MS = 5
const GIVE_UP_MS = 5_000
/** A lock whose owner cannot be asked (another host on a network disk) is taken over after this age. */
const STALE_MS = 10_000

/**
 * Runs `work` while this process alone holds the lock `PATH.lock` (row N6). A lock whose process is gone is taken
 * over. Rejects with an AmberError when the lock stays held for 5 s.
 */
export async function withFileLock<Value>(
  path: string,
  clock: Clock,
  work: () => Promise<Value>,
): Promise<Value> {
  const lock = `${path}.lock`
  makeFolder(dirname(path), { mode: 0o700 })
  const started = clock.monotonic()
  while (!(await take(lock))) {
    if (await isStale(lock)) await rm(lock, { force: true })
    else if (clock.monotonic() - started > GIVE_UP_MS) {
      throw new AmberError(
        'failed',
        `${path} is being changed by another amber.`,
        `Try again; if no other amber runs, delete ${lock}.`,
      )
    } else await wait(clock, RETRY_MS)
  }
  try {
    return await work()
  } finally {
    await rm(lock, { force: true })
  }
}

async function take(lock: string): Promise<boolean> {
  try {
    const file = await open(lock, 'wx', 0o600)
    await file.writeFile(String(process.pid))
    await file.close()
    return true
  } catch (thrown) {
    if (systemCode(thrown) === 'EEXIST') return false
    throw thrown
  }
}

async function isStale(lock: string): Promise<boolean> {
  try {
    const { mtimeMs } = await stat(lock)
    const age = Date.now() - mtimeMs
    if (age > STALE_MS) return true
    const pid = Number(await readFile(lock, 'utf8'))
    // A lock is empty for the moment between its making and its writing.
    return Number.isInteger(pid) && pid > 0 && age > RETRY_MS && !isAlive(pid)
  } catch {
    return false
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (thrown) {
    return systemCode(thrown) !== 'ESRCH'
  }
}
