import { AsyncLocalStorage } from 'node:async_hooks'
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
  /** A name for a turn, and for what it will have written; later ones sort behind. */
  newId(): string
  /** Runs a turn: what is written in it, by it and its sub-agents, belongs to its checkpoint. */
  turn<Value>(turn: TurnName, run: () => Promise<Value>): Promise<Value>
  /** What a turn wrote that has not been taken back; `pruned` when it is so old that its copies would be gone. */
  find(turn: string): Promise<Checkpoint | 'pruned' | undefined>
  /** The newest checkpoint that has not been taken back, whoever made it. */
  newest(): Promise<Checkpoint | undefined>
  /** The content that a file had before. Rejects when the kept copy is gone. */
  before(checkpoint: Checkpoint, file: KeptFile): Promise<Uint8Array>
  /** The checkpoint has been taken back. */
  forget(checkpoint: Checkpoint): Promise<void>
}

/** Whose turn it is. */
export interface TurnName {
  readonly id: string
  readonly session: string | null
}

interface Open extends TurnName {
  readonly files: Map<string, KeptFile>
}

/** Checkpoints of one workspace that are kept; older ones go. */
const MOST_KEPT = 50

/** Makes the checkpoints of one workspace in a folder of their own. Nothing is written before the first write of a turn. */
export function createCheckpoints(deps: {
  readonly folder: () => Promise<string>
  readonly root: () => Promise<string>
  readonly clock: Clock
}): Checkpoints {
  // Following a context costs every promise of the process a little: only a turn beside another one is followed.
  const context = new AsyncLocalStorage<Open>()
  let followed = 0
  let plain: Open | undefined
  const current = () => (followed === 0 ? undefined : context.getStore()) ?? plain
  let lastId = ''
  let queue: Promise<unknown> = Promise.resolve()
  const inTurn = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const done = queue.then(work)
    queue = done.catch(() => undefined)
    return done
  }
  const place = async (id: string) => join(await deps.folder(), id)
  const save = async (now: Open) => {
    const content = { version: 1, id: now.id, session: now.session, files: [...now.files.values()] }
    await writeFileAtomic(join(await place(now.id), 'checkpoint.json'), JSON.stringify(content))
  }

  const keep: WriteKeeper['keep'] = ({ path, before, mode }) => {
    const now = current()
    return inTurn(async () => {
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
  }

  const wrote: WriteKeeper['wrote'] = (path, bytes) => {
    const now = current()
    return inTurn(async () => {
      const relative = relativeTo(await deps.root(), path)
      const kept = now?.files.get(relative)
      if (now === undefined || kept === undefined) return
      now.files.set(relative, { ...kept, after: hashOfBytes(bytes) })
      await save(now)
    })
  }

  return {
    keeper: { keep, wrote },
    newId() {
      lastId = newId(deps.clock.now(), lastId)
      return lastId
    },
    async turn(turn, run) {
      const now: Open = { ...turn, files: new Map() }
      if (plain === undefined) {
        plain = now
        try {
          return await run()
        } finally {
          plain = undefined
        }
      }
      followed++
      try {
        return await context.run(now, run)
      } finally {
        if (--followed === 0) context.disable()
      }
    },
    async find(turn) {
      if (!isId(turn)) return undefined
      const folder = await deps.folder()
      const found = await read(folder, turn)
      if (found !== undefined) return found
      const ids = await idsIn(folder)
      return ids.length >= MOST_KEPT && turn < (ids[0] ?? '') ? 'pruned' : undefined
    },
    async newest() {
      const folder = await deps.folder()
      for (const id of [...(await idsIn(folder))].reverse()) {
        const found = await read(folder, id)
        if (found !== undefined) return found
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

/** Sorts by time, and behind the one before it. */
function newId(now: number, last: string): string {
  const nameOf = (ms: number) => new Date(ms).toISOString().replace(/[-:.]/g, '')
  for (let at = now; ; at++) {
    const name = nameOf(at)
    if (name > last.slice(0, name.length)) return `${name}-${randomBytes(3).toString('hex')}`
  }
}

const isId = (name: string) => /^\d{8}T\d{9}Z-[0-9a-f]{6}$/.test(name)

async function idsIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder).catch(() => [])).filter(isId).sort()
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
