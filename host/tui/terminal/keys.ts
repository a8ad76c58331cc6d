import { parseKey } from '@earendil-works/pi-tui/dist/keys.js'
import { StdinBuffer } from '@earendil-works/pi-tui/dist/stdin-buffer.js'

/** What the terminal sent. */
export type TerminalInput =
  | { readonly kind: 'text'; readonly text: string }
  /** `up`, `ctrl+c`, `alt+0`, `shift+tab`. */
  | { readonly kind: 'key'; readonly key: string }
  /** Exactly what was pasted. */
  | { readonly kind: 'paste'; readonly text: string }
  /** Lines; negative is up. */
  | { readonly kind: 'wheel'; readonly lines: number }
  /** The terminal's answer to a question of ours. */
  | { readonly kind: 'keyboard' }
  | { readonly kind: 'background'; readonly isDark: boolean }

/** Reads what a terminal sends, however it is cut into pieces. */
export interface KeyReader {
  push(chunk: string): void
  dispose(): void
}

/** An escape that stands alone for this long is the Escape key. In milliseconds. */
const ESCAPE_MS = 25

/** Sequences by pi-tui; bursts, wheels and answers of the terminal are told apart here. */
export function createKeyReader(onInput: (input: TerminalInput) => void): KeyReader {
  const buffer = new StdinBuffer({ timeout: ESCAPE_MS })
  let isPasting = false
  let batch: string[] | undefined
  const flush = (sequences: readonly string[]) => {
    for (const input of merged(sequences)) onInput(input)
  }
  buffer.on('data', (sequence) => {
    if (batch === undefined) flush([sequence])
    else batch.push(sequence)
  })
  buffer.on('paste', (text) => {
    const before = batch ?? []
    batch = []
    flush(before)
    isPasting = false
    onInput({ kind: 'paste', text: text.replaceAll('\r\n', '\n').replaceAll('\r', '\n') })
  })
  return {
    push(chunk) {
      if (chunk === '') return
      const burst = isPasting || buffer.getBuffer() !== '' ? undefined : burstOf(chunk)
      if (burst !== undefined) {
        onInput(burst)
        return
      }
      const start = chunk.lastIndexOf('\x1b[200~')
      if (start > chunk.lastIndexOf('\x1b[201~')) isPasting = true
      batch = []
      buffer.process(chunk)
      const sequences = batch
      batch = undefined
      flush(sequences)
    },
    dispose: () => buffer.destroy(),
  }
}

const WHEEL = /^(?:(?:\x1b[[O]A){2,}|(?:\x1b[[O]B){2,})$/

/**
 * What comes in one piece and cannot have been typed: several lines are a paste of a terminal that does not bracket
 * them (row T4); the same arrow several times is the wheel, as terminals send it on the alternate screen.
 */
function burstOf(chunk: string): TerminalInput | undefined {
  if (chunk.length > 2 && !chunk.includes('\x1b') && /[\r\n](?=[^\r\n])/.test(chunk)) {
    return { kind: 'paste', text: chunk.replaceAll('\r\n', '\n').replaceAll('\r', '\n').replace(/\n$/, '') }
  }
  if (!WHEEL.test(chunk)) return undefined
  const lines = chunk.length / 3
  return { kind: 'wheel', lines: chunk.endsWith('A') ? -lines : lines }
}

/** Letters that came together are one text: half a surrogate pair or an unfinished composition is never shown. */
function* merged(sequences: readonly string[]): Generator<TerminalInput> {
  let text = ''
  for (const sequence of sequences) {
    if (!sequence.startsWith('\x1b') && sequence >= ' ' && sequence !== '\x7f') {
      text += sequence
      continue
    }
    if (text !== '') yield { kind: 'text', text }
    text = ''
    const input = inputOf(sequence)
    if (input !== undefined) yield input
  }
  if (text !== '') yield { kind: 'text', text }
}

const HOME_END: Readonly<Record<string, string>> = {
  '\x1b[1~': 'home',
  '\x1b[4~': 'end',
  '\x1b[7~': 'home',
  '\x1b[8~': 'end',
}

function inputOf(sequence: string): TerminalInput | undefined {
  if (/^\x1b\[\?\d+u$/.test(sequence)) return { kind: 'keyboard' }
  const colour = /^\x1b\]11;rgba?:([0-9a-f]+)\/([0-9a-f]+)\/([0-9a-f]+)/i.exec(sequence)
  if (colour !== null) return { kind: 'background', isDark: isDark(colour.slice(1)) }
  // Ctrl-J is a line feed; Enter is a carriage return, and both are `enter` to the library.
  if (sequence === '\n') return { kind: 'key', key: 'ctrl+j' }
  const printable = /^\x1b\[(\d+)u$/.exec(sequence)
  const code = Number(printable?.[1] ?? 0)
  if (code >= 32 && code !== 127)
    return { kind: 'text', text: String.fromCodePoint(Math.min(code, 0x10ffff)) }
  const key = HOME_END[sequence] ?? parseKey(sequence)
  return key === undefined ? undefined : { kind: 'key', key }
}

/** `ffff/ffff/ffff`, or fewer digits. */
function isDark(channels: readonly string[]): boolean {
  const [red = 0, green = 0, blue = 0] = channels.map(
    (one) => Number.parseInt(one, 16) / (16 ** one.length - 1),
  )
  return 0.299 * red + 0.587 * green + 0.114 * blue < 0.5
}
