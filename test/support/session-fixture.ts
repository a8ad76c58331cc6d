import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Clock } from '../../host/base/clock.ts'
import type { FileDoor } from '../../host/session/file-door.ts'
import type { StoredMessage } from '../../host/session/read-message.ts'
import { createSessionStore, type SessionStore } from '../../host/session/session-store.ts'
import { createManualClock, type ManualClock } from './manual-clock.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** Who answers in the sessions of tests. */
export const SPEAKER = { provider: 'scripted', model: 'script-1' } as const

/** A store in a folder of its own. */
export interface StoreFixture {
  readonly store: SessionStore
  readonly clock: ManualClock
  readonly notices: readonly string[]
  pathOf(id: string): string
}

/** Makes one; give `parent` for a second host on the same folder. */
export function createStoreFixture(
  t: TestContext,
  options: {
    readonly parent?: string
    readonly door?: FileDoor
    readonly clock?: Clock
    readonly secrets?: () => readonly string[]
  } = {},
): StoreFixture & { readonly parent: string } {
  const parent = options.parent ?? temporaryFolder(t)
  const clock = createManualClock(Date.UTC(2026, 10, 30, 12))
  const notices: string[] = []
  const store = createSessionStore({
    parent,
    workspace: '/home/ada/space',
    clock: options.clock ?? clock,
    random: Math.random,
    onNotice: (message) => notices.push(message),
    ...(options.secrets === undefined ? {} : { secrets: options.secrets }),
    ...(options.door === undefined ? {} : { door: options.door }),
  })
  return { store, clock, notices, parent, pathOf: (id) => join(store.folder, `${id}.jsonl`) }
}

export const user = (text: string): StoredMessage => ({ role: 'user', text })
export const assistant = (text: string): StoredMessage => ({ role: 'assistant', text, toolCalls: [] })

/** A session with these messages, written and closed; its id. */
export function writeSession(store: SessionStore, ...messages: readonly StoredMessage[]): string {
  const session = store.create(SPEAKER)
  for (const message of messages) session.message(message)
  session.close()
  return session.id
}
