import type { TurnResult, TurnSink } from '../host/agent/turn.ts'
import { messageOf } from '../host/base/errors.ts'
import type { WireEvent } from '../host/llm/wire-tap.ts'

/** One thing of a turn: what went over the wire, or what it was decoded to, in one order. */
export interface TurnEntry {
  /** Milliseconds since the turn began. */
  readonly at: number
  readonly side: 'wire' | 'decoded'
  /** `request`, `response`, `chunk`, `end`; `text`, `reasoning`, `tool.requested`, `tool.completed`, `notice`, `error`. */
  readonly kind: string
  readonly text: string
}

/** The newest turn, running or ended (`GET turns/last`). */
export interface TurnReport {
  readonly prompt: string
  readonly running: boolean
  readonly entries: readonly TurnEntry[]
  /** How many entries had no room. */
  readonly dropped: number
  readonly result?: TurnResult
  /** Why there was no turn. */
  readonly error?: string
}

/** Writes down one turn at a time. */
export interface TurnRecord {
  report(): TurnReport | null
  wire(event: WireEvent): void
  /** Begins a turn; what is shown of it goes to the sink. */
  begin(prompt: string): {
    readonly sink: TurnSink
    end(result: TurnResult): void
    fail(thrown: unknown): void
  }
}

const MAX_ENTRIES = 3_000
/** Characters of all entries together. */
const MAX_CHARACTERS = 2_000_000
/** Characters of one entry. */
const MAX_TEXT = 200_000

interface Running {
  readonly prompt: string
  readonly began: number
  readonly entries: TurnEntry[]
  characters: number
  dropped: number
  ended?: { readonly result?: TurnResult; readonly error?: string }
}

/** Makes an empty record; `now` gives milliseconds. */
export function createTurnRecord(now: () => number): TurnRecord {
  let turn: Running | undefined
  const note = (side: TurnEntry['side'], kind: string, text: string) => {
    if (!turn || turn.ended) return
    if (turn.entries.length >= MAX_ENTRIES || turn.characters >= MAX_CHARACTERS) {
      turn.dropped += 1
      return
    }
    const shown = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)} …` : text
    turn.characters += shown.length
    turn.entries.push({ at: Math.round((now() - turn.began) * 10) / 10, side, kind, text: shown })
  }
  const decoded = (kind: string) => (text: string) => note('decoded', kind, text)
  const sink: TurnSink = {
    text: decoded('text'),
    reasoning: decoded('reasoning'),
    toolRequested: ({ id, name, plugin, arguments: args }) =>
      note('decoded', 'tool.requested', JSON.stringify({ id, name, plugin, arguments: args })),
    toolCompleted: ({ id, name, ok, output, durationMs }) =>
      note(
        'decoded',
        'tool.completed',
        JSON.stringify({ id, name, ok, output, durationMs: Math.round(durationMs * 10) / 10 }),
      ),
    notice: decoded('notice'),
    error: ({ kind, message, hint }) => note('decoded', 'error', `${kind}: ${message} ${hint}`),
  }
  return {
    wire: (event) => note('wire', event.kind, wireText(event)),
    begin(prompt) {
      turn = { prompt, began: now(), entries: [], characters: 0, dropped: 0 }
      const mine = turn
      return {
        sink,
        end: (result) => {
          mine.ended = { result }
        },
        fail: (thrown) => {
          mine.ended = { error: messageOf(thrown) }
        },
      }
    },
    report() {
      if (!turn) return null
      const { prompt, entries, dropped, ended } = turn
      return { prompt, running: ended === undefined, entries, dropped, ...ended }
    },
  }
}

function wireText(event: WireEvent): string {
  if (event.kind === 'request') return `${event.method} ${event.url}\n${event.body}`
  if (event.kind === 'response') return `HTTP ${event.status}`
  return event.kind === 'chunk' ? event.text : (event.error ?? '')
}
