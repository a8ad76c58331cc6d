import { AmberError } from '../base/errors.ts'
import type { OpenSession } from '../session/open-session.ts'
import type { SessionStore } from '../session/session-store.ts'
import { createTurnUndo, type TurnUndo, type Undoable } from './turn-undo.ts'
import type { WorkspacePart } from './workspace-part.ts'

/** The undo of a session that no amber has open; close it. */
export interface StoredUndo extends TurnUndo {
  readonly session: string
  close(): void
}

type Part = Pick<WorkspacePart, 'undo' | 'checkpoints'>

/** Opens a session, by its whole id, to take its newest turn back. Rejects when another amber writes it. */
export async function openStoredUndo(store: SessionStore, id: string, part: Part): Promise<StoredUndo> {
  const session = await store.openAlone(id)
  return { ...createTurnUndo(undoableOf(session), part), session: id, close: () => session.close() }
}

/** The undo of what was done last in the workspace: the newest session's turn, or one that no session holds. */
export async function openNewestUndo(store: SessionStore, part: Part): Promise<TurnUndo & { close(): void }> {
  const latest = await store.latest()
  const stored = latest === undefined ? undefined : await openStoredUndo(store, latest, part)
  const [kept, plan] = [await part.checkpoints.newest(), await stored?.plan()]
  if (kept === undefined || kept.session !== null || (plan?.turn.id ?? '') > kept.id) {
    return stored ?? { ...createTurnUndo(said([]), part), close() {} }
  }
  stored?.close()
  return { ...createTurnUndo(said([{ id: kept.id, prompt: '', messages: 0 }]), part), close() {} }
}

function undoableOf(session: OpenSession): Undoable {
  const { messages = [], turns = [], todos = [] } = session.stored ?? {}
  const last = turns.at(-1)
  if (last === undefined) return said([])
  const turn = { id: last.id, prompt: messages[last.from]?.text ?? '', messages: messages.length - last.from }
  return said([turn], () => {
    session.rewind(turn.messages)
    if (last.todos !== todos) session.todos(last.todos)
    if (session.written()) return
    throw new AmberError(
      'failed',
      'The files are taken back, but the session could not be written.',
      'Look at the rights and the space of its folder.',
    )
  })
}

/** A conversation that nobody leads: its newest turn goes once. */
function said(turns: NonNullable<ReturnType<Undoable['lastTurn']>>[], rewind = () => {}): Undoable {
  return {
    isBusy: () => false,
    lastTurn: () => turns.at(-1),
    rewind() {
      const turn = turns.pop()
      rewind()
      return turn?.messages ?? 0
    },
    between: (work) => work(),
  }
}
