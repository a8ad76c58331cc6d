import { createInterface } from 'node:readline'
import type { App } from '../app/app.ts'
import { completeLine } from '../command/complete.ts'
import type { Io } from './io.ts'

/** The lines of a terminal. A line that is typed while nobody asks waits for the next {@link Lines.next}. */
export interface Lines {
  /** The next line, typed ahead or now; undefined when the terminal is closed. */
  next(prompt: string): Promise<string | undefined>
  /** A line typed after the question was seen; undefined when the terminal closes or the signal aborts. */
  askFresh(question: string, signal?: AbortSignal): Promise<string | undefined>
  /** Hears Ctrl-C. */
  onInterrupt(handler: () => void): void
  close(): void
}

/** Reads a terminal with history and completion of slash commands. */
export function createLines(terminal: NonNullable<Io['terminal']>, app: Completing): Lines {
  const reader = createInterface({
    ...terminal,
    terminal: true,
    historySize: 500,
    completer: (line: string) => completer(app, line),
  })
  const ahead: string[] = []
  let waiting: ((line: string | undefined) => void) | undefined
  let interrupted = () => {}
  let closed = false
  const hand = (line: string | undefined) => {
    const taker = waiting
    waiting = undefined
    taker?.(line)
    return taker !== undefined
  }
  reader.on('line', (line) => {
    if (!hand(line)) ahead.push(line)
  })
  reader.on('SIGINT', () => interrupted())
  reader.on('close', () => {
    closed = true
    hand(undefined)
  })
  const wait = (prompt: string) =>
    new Promise<string | undefined>((resolve) => {
      waiting = resolve
      if (closed) hand(undefined)
      else {
        reader.setPrompt(prompt)
        reader.prompt()
      }
    })
  return {
    next: async (prompt) => ahead.shift() ?? wait(prompt),
    async askFresh(question, signal) {
      if (signal?.aborted) return undefined
      const aborted = () => hand(undefined)
      signal?.addEventListener('abort', aborted, { once: true })
      const line = await wait(question)
      signal?.removeEventListener('abort', aborted)
      return line
    },
    onInterrupt(handler) {
      interrupted = handler
    },
    close: () => reader.close(),
  }
}

type Completing = Pick<App, 'commandTree' | 'choices'>

/** Readline puts the completed word in the place of the one it is told of. */
function completer(app: Completing, line: string): [string[], string] {
  if (!line.startsWith('/')) return [[], line]
  const { items, start } = completeLine(app.commandTree(), line, (source) => app.choices(source))
  // The slash is no blank to readline, so the first word is completed together with it.
  const from = start === 1 ? 0 : start
  return [items.map((item) => `${line.slice(from, start)}${item.text} `), line.slice(from)]
}
