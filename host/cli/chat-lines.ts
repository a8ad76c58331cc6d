import { createInterface } from 'node:readline'
import type { App } from '../app/app.ts'
import { completeLine } from '../command/complete.ts'
import { hideable } from './hideable-output.ts'
import type { Io } from './io.ts'

/** The lines of a terminal. A line that is typed while nobody asks waits for the next {@link Lines.next}. */
export interface Lines {
  /** The next line, typed ahead or now; undefined when the terminal is closed. */
  next(prompt: string): Promise<string | undefined>
  /**
   * A line typed after the question was seen; undefined when the terminal closes or the signal aborts. Questions are
   * asked one after another; what was being typed comes back after them.
   */
  askFresh(question: string, signal?: AbortSignal): Promise<string | undefined>
  /** As {@link Lines.askFresh}, with nothing shown or kept of what is typed (PRO-13). */
  askHidden(question: string): Promise<string | undefined>
  /** Hears Ctrl-C. */
  onInterrupt(handler: () => void): void
  close(): void
}

/** Someone who waits for a line. */
interface Waiter {
  readonly prompt: string
  readonly take: (line: string | undefined) => void
}

/** Reads a terminal with history and completion of slash commands. */
export function createLines(terminal: NonNullable<Io['terminal']>, app: Completing): Lines {
  const output = hideable(terminal.output)
  const reader = createInterface({
    input: terminal.input,
    output: output.stream,
    terminal: true,
    historySize: 500,
    completer: (line: string, done: Completed) => {
      completer(app, line).then(
        (found) => done(null, found),
        () => done(null, [[], line]),
      )
    },
  })
  const ahead: string[] = []
  const waiting: Waiter[] = []
  let interrupted = () => {}
  let closed = false
  let isSecret = false
  let asked: Promise<unknown> = Promise.resolve()

  const show = () => {
    const waiter = waiting.at(-1)
    if (waiter === undefined || closed) return
    reader.setPrompt(waiter.prompt)
    reader.prompt()
  }
  const hand = (line: string | undefined) => {
    const waiter = waiting.pop()
    waiter?.take(line)
    return waiter !== undefined
  }
  reader.on('line', (line) => {
    if (!hand(line)) ahead.push(line)
  })
  reader.on('history', (history) => {
    if (isSecret) history.shift()
  })
  reader.on('SIGINT', () => interrupted())
  reader.on('close', () => {
    closed = true
    while (hand(undefined));
  })
  const wait = (prompt: string) =>
    new Promise<string | undefined>((take) => {
      if (closed) take(undefined)
      else {
        waiting.push({ prompt, take })
        show()
      }
    })
  const ask = async (question: string, signal?: AbortSignal) => {
    if (signal?.aborted) return undefined
    const typed = waiting.length === 0 ? '' : reader.line
    // What was being typed is no answer to a question that appears under it.
    if (typed !== '') reader.write(null, { ctrl: true, name: 'u' })
    if (waiting.length > 0) terminal.output.write('\n')
    const aborted = () => hand(undefined)
    signal?.addEventListener('abort', aborted, { once: true })
    const line = await wait(question)
    signal?.removeEventListener('abort', aborted)
    show()
    if (typed !== '') reader.write(typed)
    return line
  }
  const askInTurn: Lines['askFresh'] = (question, signal) => {
    const answer = asked.then(() => ask(question, signal))
    asked = answer
    return answer
  }
  return {
    next: async (prompt) => ahead.shift() ?? wait(prompt),
    askFresh: askInTurn,
    askHidden: (question) => {
      const answer = asked.then(async () => {
        isSecret = true
        terminal.output.write(question)
        output.hide(true)
        const line = await ask('')
        output.hide(false)
        isSecret = false
        terminal.output.write('\n')
        return line
      })
      asked = answer
      return answer
    },
    onInterrupt(handler) {
      interrupted = handler
    },
    close: () => reader.close(),
  }
}

/** What completing asks of amber. */
export type Completing = Pick<App, 'commandTree' | 'choices' | 'prepareChoices'>

type Completed = (error: null, found: [string[], string]) => void

/** Readline puts the completed word in the place of the one it is told of. */
async function completer(app: Completing, line: string): Promise<[string[], string]> {
  if (!line.startsWith('/')) return [[], line]
  const sources = new Set<string>()
  const complete = () =>
    completeLine(app.commandTree(), line, (source) => {
      sources.add(source)
      return app.choices(source)
    })
  complete()
  await Promise.all([...sources].map((source) => app.prepareChoices(source)))
  const { items, start } = complete()
  // The slash is no blank to readline, so the first word is completed together with it.
  const from = start === 1 ? 0 : start
  return [items.map((item) => `${line.slice(from, start)}${item.text} `), line.slice(from)]
}
