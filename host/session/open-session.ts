import type { Todo } from '../../sdk/index.ts'
import type { Clock } from '../base/clock.ts'
import type { Dispose } from '../base/disposable.ts'
import type { FileDoor } from './file-door.ts'
import type { StoredMessage } from './read-message.ts'
import { encodeLine, type SessionHeader, type SessionRecord } from './record.ts'
import type { StoredConversation } from './replay.ts'
import { createSessionLog } from './session-log.ts'

/** A session that this host writes. Nothing here throws: trouble is told, and writing goes on in memory (SES-4). */
export interface OpenSession {
  readonly id: string
  readonly path: string
  /** What was in it when it was opened; undefined for a new one. */
  readonly stored: StoredConversation | undefined
  /** `turn`: the id of the turn that the message begins. */
  message(message: StoredMessage, turn?: string): void
  compression(kept: number, summary: string): void
  rewind(dropped: number): void
  todos(todos: readonly Todo[]): void
  title(title: string): void
  /** Whether everything is in the file; false while it only waits in memory. */
  written(): boolean
  close(): void
}

/** What an open session is made with. */
export interface OpenSessionDeps {
  readonly path: string
  readonly header: SessionHeader
  readonly stored: StoredConversation | undefined
  /** Bytes that are in the file; 0 for a new one, which is made with its first record. */
  readonly size: number
  readonly door: FileDoor
  readonly clock: Clock
  /** Who answers now. */
  readonly speaker: { readonly provider: string; readonly model: string }
  readonly lock: { take(): void; readonly release: Dispose }
  /** Values that are never written (PRO-13): keys that a file or a program showed. */
  readonly secrets: () => readonly string[]
  readonly onNotice: (message: string) => void
}

/** How near to the end a title must stand for the listing to see it, in bytes. */
export const TAIL_BYTES = 4096

/** Opens a session for writing. */
export function openSession(deps: OpenSessionDeps): OpenSession {
  const { header, stored, clock, onNotice } = deps
  const log = createSessionLog({
    path: deps.path,
    door: deps.door,
    clock,
    size: deps.size,
    beforeFirst: () => deps.lock.take(),
    onTrouble: (why) =>
      onNotice(
        `The session ${header.id} cannot be written (${why}). The conversation goes on in memory and is written when it can be.`,
      ),
    onRecovered: () => onNotice(`The session ${header.id} is written again; nothing was lost.`),
  })
  let begun = deps.size > 0
  let named = stored?.title ?? ''
  let titleAt = 0
  let answers = { provider: stored?.provider ?? header.provider, model: stored?.model ?? header.model }

  const at = () => new Date(clock.now()).toISOString()
  const write = (record: SessionRecord) => {
    // The header goes with the first record: a conversation that never begins leaves no file.
    const line = mask(encodeLine(record), deps.secrets())
    log.append(begun ? line : encodeLine(header) + line)
    begun = true
  }
  const sayWho = () => {
    const { provider, model } = deps.speaker
    if (answers.provider === provider && answers.model === model) return
    answers = { provider, model }
    write({ type: 'model', at: at(), provider, model })
  }
  return {
    id: header.id,
    path: deps.path,
    stored,
    message(message, turn) {
      sayWho()
      write({ type: 'message', at: at(), ...(turn === undefined ? {} : { turn }), message })
    },
    compression: (kept, summary) => write({ type: 'compression', at: at(), kept, summary }),
    rewind: (dropped) => write({ type: 'rewind', at: at(), dropped }),
    todos: (todos) => write({ type: 'todos', at: at(), todos }),
    title(title) {
      named = title
      write({ type: 'title', at: at(), title })
      titleAt = log.size()
    },
    written: log.written,
    close() {
      // Said again where a listing finds it without reading the file whole.
      const far = log.size() - titleAt > TAIL_BYTES
      if (named !== '' && log.size() > deps.size && far) write({ type: 'title', at: at(), title: named })
      log.close()
      deps.lock.release()
    },
  }
}

function mask(line: string, secrets: readonly string[]): string {
  return secrets.reduce((masked, secret) => {
    const written = JSON.stringify(secret).slice(1, -1)
    return written === '' ? masked : masked.replaceAll(written, '[key]')
  }, line)
}
