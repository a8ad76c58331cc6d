import { createParser } from 'eventsource-parser'
import type { WireEvent } from '../../sdk/index.ts'

/** Frames bytes into server-sent events (WHATWG HTML, section 9.2). */
export interface SseFraming {
  /**
   * Takes the next bytes. `progress`: something other than a keep-alive arrived; `idle`: comments, pings or nothing;
   * `overflow`: one event is larger than allowed, and no more is read.
   */
  push(bytes: Uint8Array): 'progress' | 'idle' | 'overflow'
  /** The stream ended: an event left without its blank line counts (PRO-11). */
  end(): void
}

const MAX_EVENT_CHARACTERS = 16 * 1024 * 1024

/** Makes a framing that hands every event on as soon as its last byte is there. */
export function createSseFraming(
  onEvent: (event: WireEvent) => void,
  options: { readonly maxEventCharacters?: number } = {},
): SseFraming {
  const limit = options.maxEventCharacters ?? MAX_EVENT_CHARACTERS
  const lines = createLineReader()
  let progressed = false
  let overflowed = false
  const parser = createParser({
    maxBufferSize: limit,
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') overflowed = true
    },
    onEvent: ({ event, data }) => {
      const own = withoutMark(event, data)
      if (own === '' && event !== 'error') return
      if (event !== 'ping') progressed = true
      onEvent({ event, data: own })
    },
  })
  const feed = (text: string) => {
    if (text !== '' && !overflowed) parser.feed(markNamedEvents(text))
  }

  return {
    push(bytes) {
      if (overflowed) return 'overflow'
      progressed = false
      feed(lines.push(bytes))
      if (lines.pending() > limit) overflowed = true
      if (overflowed) return 'overflow'
      return progressed || lines.grewInData() ? 'progress' : 'idle'
    },
    end() {
      feed(`${lines.end()}\n\n`)
    },
  }
}

/**
 * The parser drops a named event that has no data, as browsers must; an `event: error` alone is how some servers say
 * that they failed. An empty data line after each name keeps it.
 */
function markNamedEvents(text: string): string {
  return text.includes('event:') ? text.replace(/^event:[^\n]*$/gm, '$&\ndata') : text
}

function withoutMark(event: string | undefined, data: string): string {
  if (event === undefined) return data
  if (data.startsWith('\n')) return data.slice(1)
  return data.endsWith('\n') ? data.slice(0, -1) : data
}

interface LineReader {
  /** The whole lines that are known so far, each ended by LF. */
  push(bytes: Uint8Array): string
  end(): string
  /** Characters of the line that is not whole yet. */
  pending(): number
  /** Whether the last bytes added to a line that is no comment. */
  grewInData(): boolean
}

/** Decodes UTF-8 across chunks and makes every line end (LF, CRLF, CR) an LF, without waiting for what follows a CR. */
function createLineReader(): LineReader {
  const decoder = new TextDecoder('utf-8')
  let partial = ''
  let afterCarriageReturn = false
  let grew = false

  const normalise = (decoded: string): string => {
    let text = decoded
    if (afterCarriageReturn && text.startsWith('\n')) text = text.slice(1)
    if (decoded !== '') afterCarriageReturn = decoded.endsWith('\r')
    return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
  }
  return {
    push(bytes) {
      const text = normalise(decoder.decode(bytes, { stream: true }))
      const end = text.lastIndexOf('\n') + 1
      const whole = end === 0 ? '' : partial + text.slice(0, end)
      const rest = text.slice(end)
      partial = end === 0 ? partial + rest : rest
      grew = rest !== '' && !partial.startsWith(':')
      return whole
    },
    end() {
      const text = partial + normalise(decoder.decode())
      partial = ''
      return text
    },
    pending: () => partial.length,
    grewInData: () => grew,
  }
}
