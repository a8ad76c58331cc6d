import { turnOf } from '../agent/agent.ts'
import { AmberError } from '../base/errors.ts'
import type { OpenSession } from '../session/open-session.ts'
import type { SessionStore } from '../session/session-store.ts'
import { createTurnUndo, type TurnUndo, type TurnUndoDeps, type Undoable } from './turn-undo.ts'

/** The undo of a session that no amber has open; close it. */
export interface StoredUndo extends TurnUndo {
  readonly session: string
  close(): void
}

/** Opens a session, by its whole id, to take its newest turn back. Rejects when another amber writes it. */
export async function openStoredUndo(
  store: SessionStore,
  id: string,
  deps: TurnUndoDeps,
): Promise<StoredUndo> {
  const session = await store.openAlone(id)
  return { ...createTurnUndo(undoableOf(session), deps), session: id, close: () => session.close() }
}

/** The undo of what was done last in the workspace: the newest session's turn, or one that no session holds. */
export async function openNewestUndo(
  store: SessionStore,
  deps: TurnUndoDeps,
): Promise<TurnUndo & { close(): void }> {
  const latest = await store.latest()
  const turns = latest === undefined ? [] : (await store.read(latest)).conversation.turns
  const kept = await deps.part.checkpoints.newest()
  // Names of turns sort by time.
  const isLoose = kept?.session === null && kept.id > (turns.at(-1)?.id ?? '')
  if (latest !== undefined && !isLoose) return openStoredUndo(store, latest, deps)
  const only = isLoose ? [turnOf(kept.id, [])] : []
  return { ...createTurnUndo(said(only), deps), close() {} }
}

function undoableOf(session: OpenSession): Undoable {
  const { messages = [], turns = [], todos = [] } = session.stored ?? {}
  const last = turns.at(-1)
  if (last === undefined) return said([])
  const turn = turnOf(last.id, messages.slice(last.from))
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
