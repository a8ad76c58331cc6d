import { AmberError } from '../base/errors.ts'
import { sanitiseLine } from '../base/sanitise.ts'
import type { CoreHandler } from '../command/dispatch.ts'
import type { SessionSummary } from '../session/list-sessions.ts'
import type { SessionStore } from '../session/session-store.ts'

const SHOWN = 30

/** The session commands that need no conversation, by dotted path. */
export function sessionCommands(sessions: () => Promise<SessionStore>): ReadonlyMap<string, CoreHandler> {
  return new Map<string, CoreHandler>([
    [
      'session.list',
      async () => {
        const found = await (await sessions()).list(SHOWN)
        return found.map(sessionLine).join('\n') || 'This workspace has no sessions.'
      },
    ],
    [
      'session.delete',
      async ({ text }) => {
        if (text === '') throw new AmberError('failed', 'No session was named.', 'See them: /session list')
        const store = await sessions()
        const id = await store.find(text)
        await store.delete(id)
        return `The session ${id} is deleted.`
      },
    ],
  ])
}

/** `20261130-193351-x7k2ab  2026-11-30 19:33  What is in this folder?` */
function sessionLine({ id, updated, title }: SessionSummary): string {
  return `${id}  ${updated.slice(0, 16).replace('T', ' ')}  ${sanitiseLine(title) || '-'}`
}
