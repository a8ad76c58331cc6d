import { randomBytes } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFileAtomic } from '../base/atomic-file.ts'
import type { Clock } from '../base/clock.ts'
import { type Checkpoint, hashOfBytes, type KeptFile, parseCheckpoint } from './checkpoint.ts'
import { relativeTo } from './inside.ts'
import type { WriteKeeper } from './write-file.ts'

/** The files that turns changed, as they were before, so that a turn can be taken back (undo). */
export interface Checkpoints {
  /** What the workspace service tells of each write. */
  readonly keeper: WriteKeeper
  /**
   * Runs a turn: what is written in it belongs to one checkpoint. Turns that run at the same time share one, since
   * nobody could say whose a file is.
   */
  turn<Value>(session: string | null, run: () => Promise<Value>): Promise<Value>
  /** The newest checkpoint that has not been taken back, of a session if one is named. */
  newest(session?: string): Promise<Checkpoint | undefined>
  /** The content that a file had before. Rejects when the kept copy is gone. */
  before(checkpoint: Checkpoint, file: KeptFile): Promise<Uint8Array>
  /** The checkpoint has been taken back. */
  forget(checkpoint: Checkpoint): Promise<void>
}

/** Checkpoints of one workspace that are kept; older ones go. */
const MOST_KEPT = 50

/** Makes the checkpoints of one workspace in a folder of their own. Nothing is written before the first write of a turn. */
export function createCheckpoints(deps: {
  readonly folder: () => Promise<string>
  readonly root: () => Promise<string>
  readonly clock: Clock
}): Checkpoints {
  let running = 0
  let current: { id: string; session: string | null; files: Map<string, KeptFile> } | undefined
  let queue: Promise<unknown> = Promise.resolve()
  const inTurn = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const done = queue.then(work)
    queue = done.catch(() => undefined)
    return done
  }
  const place = async (id: string) => join(await deps.folder(), id)
  const save = async (now: NonNullable<typeof current>) => {
    const content = { version: 1, id: now.id, session: now.session, files: [...now.files.values()] }
    await writeFileAtomic(join(await place(now.id), 'checkpoint.json'), JSON.stringify(content))
  }

  const keep: WriteKeeper['keep'] = ({ path, before, mode }) =>
    inTurn(async () => {
      const now = current
      const relative = relativeTo(await deps.root(), path)
      if (now === undefined || now.files.has(relative)) return
      const blob = before === undefined ? undefined : `${now.files.size}.before`
      if (before !== undefined && blob !== undefined) {
        await writeFileAtomic(join(await place(now.id), blob), await before())
      }
      now.files.set(relative, { path: relative, before: blob, mode, after: undefined })
      await save(now)
      if (now.files.size === 1) await prune(await deps.folder())
    })

  const wrote: WriteKeeper['wrote'] = (path, bytes) =>
    inTurn(async () => {
      const now = current
      const relative = relativeTo(await deps.root(), path)
      const kept = now?.files.get(relative)
      if (now === undefined || kept === undefined) return
      now.files.set(relative, { ...kept, after: hashOfBytes(bytes) })
      await save(now)
    })

  return {
    keeper: { keep, wrote },
    async turn(session, run) {
      if (running++ === 0) current = { id: newId(deps.clock.now()), session, files: new Map() }
      try {
        return await run()
      } finally {
        if (--running === 0) current = undefined
      }
    },
    async newest(session) {
      const folder = await deps.folder()
      for (const id of [...(await idsIn(folder))].reverse()) {
        const found = await read(folder, id)
        if (found !== undefined && (session === undefined || found.session === session)) return found
      }
      return undefined
    },
    async before(checkpoint, file) {
      if (file.before === undefined) return new Uint8Array()
      return readFile(join(await place(checkpoint.id), file.before))
    },
    async forget(checkpoint) {
      await rm(await place(checkpoint.id), { recursive: true, force: true })
    },
  }
}

/** Sorts by time. */
function newId(now: number): string {
  const time = new Date(now).toISOString().replace(/[-:.]/g, '')
  return `${time}-${randomBytes(3).toString('hex')}`
}

async function idsIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder).catch(() => []))
    .filter((name) => /^\d{8}T\d{9}Z-[0-9a-f]{6}$/.test(name))
    .sort()
}

async function read(folder: string, id: string): Promise<Checkpoint | undefined> {
  try {
    return parseCheckpoint(JSON.parse(await readFile(join(folder, id, 'checkpoint.json'), 'utf8')))
  } catch {
    // Half made, or half removed, by an amber that was killed.
    return undefined
  }
}

async function prune(folder: string): Promise<void> {
  const ids = await idsIn(folder)
  for (const id of ids.slice(0, Math.max(0, ids.length - MOST_KEPT)))
    await rm(join(folder, id), { recursive: true, force: true })
}
