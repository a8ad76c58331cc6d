import { randomUUID } from 'node:crypto'
import type { Todo } from '../../sdk/index.ts'
import type { ConversationState, Journal } from '../agent/conversation.ts'
import { AmberError } from '../base/errors.ts'
import type { OpenSession } from '../session/open-session.ts'
import { isStored } from '../session/record.ts'
import type { SessionStore, Speaker } from '../session/session-store.ts'
import type { AgentOptions } from './app.ts'
import type { TodoStore } from './todo-store.ts'

/** The session of one agent: which it is, and what is written to it. */
export interface SessionKeeper {
  /** The id; null when none is written, or when it cannot be written now (N5: no hint at what is not there). */
  id(): string | null
  /** What services know the conversation by. */
  conversation(): string
  readonly journal: Journal
  /** What the session holds that it was opened with. */
  initial(): ConversationState
  todos(): readonly Todo[]
  /** Begins a new session; the old one stays stored. */
  begin(): void
  /** Goes on with another session of this workspace. Rejects with an AmberError. */
  load(prefix: string): Promise<ConversationState>
  /** Goes on with a copy of this session. */
  fork(): Promise<string>
  rename(title: string): void
  close(): void
}

/** What a keeper is made with. */
export interface SessionKeeperDeps {
  readonly store: () => Promise<SessionStore>
  readonly todos: TodoStore
  readonly speaker: Speaker
  readonly onNotice: (message: string) => void
}

/** Opens the session that the options name. Rejects with an AmberError when it is not there. */
export async function openSessionKeeper(
  deps: SessionKeeperDeps,
  which: NonNullable<AgentOptions['session']>,
): Promise<SessionKeeper> {
  if (which === 'none') return keep(deps, undefined, undefined)
  const store = await deps.store()
  return keep(deps, store, await openFirst(deps, store, which))
}

async function openFirst(
  { speaker, onNotice }: SessionKeeperDeps,
  store: SessionStore,
  which: Exclude<NonNullable<AgentOptions['session']>, 'none'>,
): Promise<OpenSession> {
  if (typeof which === 'object') return store.open(await store.find(which.resume), speaker)
  if (which === 'new') return store.create(speaker)
  const latest = await store.latest()
  if (latest !== undefined) return store.open(latest, speaker)
  onNotice('This workspace has no session to go on with; a new one begins.')
  return store.create(speaker)
}

function keep(
  deps: SessionKeeperDeps,
  store: SessionStore | undefined,
  first: OpenSession | undefined,
): SessionKeeper {
  let session = first
  let loose = `conversation-${randomUUID().slice(0, 8)}`
  let plan: readonly Todo[] = []
  /** The plan as it was before each turn, by the turn's id. */
  const plans = new Map<string, readonly Todo[]>()
  let detach = () => {}
  const conversation = () => session?.id ?? loose
  const take = (next: OpenSession | undefined) => {
    detach()
    if (session !== next) session?.close()
    session = next
    loose = `conversation-${randomUUID().slice(0, 8)}`
    plan = next?.stored?.todos ?? []
    plans.clear()
    for (const { id, todos } of next?.stored?.turns ?? []) if (id !== undefined) plans.set(id, todos)
    detach = deps.todos.attach(conversation(), {
      list: () => plan,
      replace(todos) {
        plan = todos
        session?.todos(todos)
      },
    })
  }
  const mustHave = () => {
    if (store !== undefined && session !== undefined) return { store, session }
    throw new AmberError('failed', 'This conversation is not stored.', 'Start amber without --no-session.')
  }
  take(first)
  return {
    id: () => (session?.written() ? session.id : null),
    conversation,
    journal: {
      message: (message, turn) => {
        if (turn !== undefined) plans.set(turn, plan)
        if (isStored(message)) session?.message(message, turn)
      },
      compression: (kept, summary) => session?.compression(kept, summary),
      rewind(dropped, turn) {
        session?.rewind(dropped)
        const before = turn === undefined ? undefined : plans.get(turn)
        if (before === undefined || before === plan) return
        plan = before
        session?.todos(before)
      },
    },
    initial: () => stateOf(session),
    todos: () => plan,
    begin: () => take(store?.create(deps.speaker)),
    async load(prefix) {
      const { store: from, session: now } = mustHave()
      const id = await from.find(prefix)
      if (id === now.id) throw new AmberError('failed', `${id} is this conversation.`, 'Name another one.')
      take(await from.open(id, deps.speaker))
      return stateOf(session)
    },
    async fork() {
      const { store: from, session: now } = mustHave()
      const copy = await from.open(await from.fork(now.id), deps.speaker)
      take(copy)
      return copy.id
    },
    rename: (title) => mustHave().session.title(title),
    close() {
      detach()
      session?.close()
    },
  }
}

function stateOf(session: OpenSession | undefined): ConversationState {
  const stored = session?.stored
  if (stored === undefined) return { messages: [] }
  const { messages, turns, summary, olderSummaries } = stored
  return { messages, turns, summary, olderSummaries }
}
