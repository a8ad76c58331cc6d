import { open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFileAtomic } from '../base/atomic-file.ts'
import type { Clock } from '../base/clock.ts'
import { AmberError } from '../base/errors.ts'
import { AMBER_VERSION } from '../base/version.ts'
import { diskDoor, type FileDoor } from './file-door.ts'
import { listSessions, type SessionSummary, sessionIds } from './list-sessions.ts'
import { type OpenSession, openSession } from './open-session.ts'
import { type ReadSession, readSession } from './read-session.ts'
import { encodeLine, SESSION_VERSION, type SessionHeader } from './record.ts'
import { replay, type StoredConversation } from './replay.ts'
import { isSessionId, newSessionId } from './session-id.ts'
import { isLocked, takeSessionLock, tryLock } from './session-lock.ts'
import { workspaceKey } from './workspace-key.ts'

/** Who answers in a session. */
export interface Speaker {
  readonly provider: string
  readonly model: string
}

/** A session as read, for showing and exporting. */
export interface LoadedSession {
  readonly header: SessionHeader
  readonly conversation: StoredConversation
  readonly warnings: readonly string[]
}

/** The sessions of one workspace. What is named wrongly or cannot be read rejects with an AmberError. */
export interface SessionStore {
  readonly folder: string
  /** A new session; its file is made with its first message. */
  create(speaker: Speaker): OpenSession
  /** Opens a session to go on with it; one that another host writes is forked, and said so (SES-3). */
  open(id: string, speaker: Speaker): Promise<OpenSession>
  /** Opens a session to change it; one that another host writes is refused. */
  openAlone(id: string): Promise<OpenSession>
  /** The session that was written last. */
  latest(): Promise<string | undefined>
  /** The id that begins so (N10 and interfaces 2). */
  find(prefix: string): Promise<string>
  /** Newest first. */
  list(limit?: number): Promise<readonly SessionSummary[]>
  read(id: string): Promise<LoadedSession>
  /** Copies a session under a new id; the original is not touched (N11). */
  fork(id: string): Promise<string>
  delete(id: string): Promise<void>
}

/** What a store is made with. */
export interface SessionStoreDeps {
  /** `<state>/sessions`. */
  readonly parent: string
  /** The workspace's real path. */
  readonly workspace: string
  readonly clock: Clock
  /** From 0 to 1. */
  readonly random: () => number
  readonly onNotice: (message: string) => void
  /** Values that are never written (PRO-13). */
  readonly secrets?: () => readonly string[]
  readonly door?: FileDoor
}

/** Opens the sessions of a workspace. Nothing is touched before it is asked for. */
export function createSessionStore(deps: SessionStoreDeps): SessionStore {
  const { clock, onNotice } = deps
  const folder = join(deps.parent, workspaceKey(deps.workspace))
  const door = deps.door ?? diskDoor
  const secrets = deps.secrets ?? (() => [])
  const pathOf = (id: string) => join(folder, `${id}.jsonl`)
  const lockOf = (id: string) => join(folder, `${id}.lock`)
  const newId = () => newSessionId(clock.now(), deps.random)

  const mustRead = async (id: string) => {
    const read = isSessionId(id) ? await readSession(pathOf(id)) : ({ kind: 'absent' } as const)
    if (read.kind === 'session') return read
    throw unreadable(id, read)
  }
  const fork = async (id: string): Promise<string> => {
    const { header, body } = await mustRead(id)
    const copy = newId()
    const created = new Date(clock.now()).toISOString()
    const line = encodeLine({ ...header, id: copy, created, parent: header.id })
    await writeFileAtomic(pathOf(copy), Buffer.concat([Buffer.from(line), body]))
    return copy
  }
  const find = async (prefix: string): Promise<string> => {
    const ids = await sessionIds(folder)
    if (ids.includes(prefix)) return prefix
    const found = ids.filter((id) => prefix !== '' && id.startsWith(prefix))
    const [only] = found
    if (only !== undefined && found.length === 1) return only
    throw found.length > 1 ? ambiguous(prefix, found) : await absent(prefix, deps.parent)
  }

  const goOn = async (id: string, speaker?: Speaker): Promise<OpenSession> => {
    await mustExist(pathOf(id), id)
    const lock = await takeSessionLock(lockOf(id), clock)
    if (lock.kind === 'held') {
      if (speaker === undefined) throw openElsewhere(id, lock.by.pid)
      const copy = await fork(id)
      onNotice(
        `The session ${id} is open in another amber (process ${lock.by.pid}). This one goes on with a copy, ${copy}.`,
      )
      return goOn(copy, speaker)
    }
    try {
      // Under the lock: nobody adds to what is read here.
      const read = await mustRead(id)
      for (const warning of read.warnings) onNotice(`Session ${id}: ${warning}`)
      const { header, records } = read
      const stored = replay(header, records)
      return openSession({
        path: pathOf(id),
        header,
        stored,
        size: await repair(pathOf(id), read),
        door,
        clock,
        speaker: speaker ?? stored,
        lock: { take: () => {}, release: lock.release },
        secrets,
        onNotice,
      })
    } catch (thrown) {
      lock.release()
      throw thrown
    }
  }

  return {
    folder,
    create(speaker) {
      const id = newId()
      let release = () => {}
      return openSession({
        path: pathOf(id),
        header: {
          type: 'session',
          version: SESSION_VERSION,
          id,
          created: new Date(clock.now()).toISOString(),
          workspace: deps.workspace,
          amber: AMBER_VERSION,
          ...speaker,
        },
        stored: undefined,
        size: 0,
        secrets,
        door,
        clock,
        speaker,
        lock: {
          take() {
            const lock = tryLock(lockOf(id))
            if (lock.kind === 'ours') release = lock.release
          },
          release: () => release(),
        },
        onNotice,
      })
    },
    open: goOn,
    openAlone: (id) => goOn(id),
    latest: async () => (await listSessions(folder, 1))[0]?.id,
    find,
    list: (limit) => listSessions(folder, limit),
    async read(id) {
      const { header, records, warnings } = await mustRead(id)
      return { header, conversation: replay(header, records), warnings }
    },
    fork,
    async delete(id) {
      await mustRead(id)
      if (isLocked(lockOf(id))) {
        throw new AmberError('failed', `The session ${id} is open in an amber.`, 'Close it there first.')
      }
      await rm(pathOf(id))
      await rm(lockOf(id), { force: true })
    },
  }
}

function openElsewhere(id: string, pid: number): AmberError {
  return new AmberError(
    'failed',
    `The session ${id} is open in another amber (process ${pid}).`,
    'Do it there, or close it there first.',
  )
}

/** Rejects for what is no file of an id, before a lock is left beside it. */
async function mustExist(path: string, id: string): Promise<void> {
  const status = isSessionId(id) ? await stat(path).catch(() => undefined) : undefined
  if (status === undefined) throw unreadable(id, { kind: 'absent' })
  if (!status.isFile()) throw unreadable(id, { kind: 'refused', reason: 'it is no regular file' })
}

/** Takes a torn last line away, or ends a whole one; answers the file's size then. Only its lock's holder may. */
async function repair(path: string, read: Extract<ReadSession, { kind: 'session' }>): Promise<number> {
  if (read.tail === 'none') return read.soundBytes
  try {
    const file = await open(path, 'r+')
    try {
      if (read.tail === 'torn') {
        await file.truncate(read.soundBytes)
        return read.soundBytes
      }
      const { size } = await file.stat()
      await file.write('\n', size)
      return size + 1
    } finally {
      await file.close()
    }
  } catch (thrown) {
    throw new AmberError(
      'failed',
      `The session's file ${path} cannot be written: ${thrown instanceof Error ? thrown.message : 'the system refused'}`,
      'Look at its rights, or go on without a session: --no-session.',
      thrown,
    )
  }
}

function unreadable(id: string, read: Exclude<ReadSession, { kind: 'session' }>): AmberError {
  if (read.kind === 'absent') {
    return new AmberError('failed', `There is no session ${id}.`, 'See them all: amber session list')
  }
  return new AmberError(
    'failed',
    `The file of session ${id} is not used: ${read.reason}. It was not changed.`,
    'Move it away, or name another: amber session list',
  )
}

function ambiguous(prefix: string, ids: readonly string[]): AmberError {
  const shown = ids.toSorted().slice(-5).join(', ')
  return new AmberError(
    'failed',
    `${ids.length} sessions begin with ${prefix}: ${shown}.`,
    'Write more of it.',
  )
}

async function absent(prefix: string, parent: string): Promise<AmberError> {
  const elsewhere = isSessionId(prefix) ? await findElsewhere(prefix, parent) : undefined
  if (elsewhere === undefined) {
    return new AmberError('failed', `There is no session ${prefix}.`, 'See them all: amber session list')
  }
  return new AmberError(
    'failed',
    `The session ${prefix} belongs to another workspace, ${elsewhere}.`,
    `Go there, or add: --workspace ${elsewhere}`,
  )
}

async function findElsewhere(prefix: string, parent: string): Promise<string | undefined> {
  for (const key of (await readdir(parent).catch(() => [])).slice(0, 1000)) {
    const id = (await sessionIds(join(parent, key))).find((one) => one.startsWith(prefix))
    const read = id === undefined ? undefined : await readSession(join(parent, key, `${id}.jsonl`))
    if (read?.kind === 'session') return read.header.workspace
  }
  return undefined
}
