import type { App } from '../app/app.ts'
import type { UiDoor } from '../plugin/plugin-host.ts'
import { createLines, type Lines } from './chat-lines.ts'
import type { Io } from './io.ts'
import { createLineUi } from './line-ui.ts'

/** Answers the questions of one command on the terminal, which is read from the first question on. */
export function createCommandUi(
  terminal: NonNullable<Io['terminal']>,
  app: () => App | undefined,
  say: (text: string) => void,
): { readonly door: UiDoor; close(): void } {
  let lines: Lines | undefined
  const ask = () => {
    const running = app()
    if (running === undefined || lines !== undefined) return lines
    const opened = createLines(terminal, running)
    opened.onInterrupt(() => opened.close())
    lines = opened
    return lines
  }
  return { door: createLineUi(ask, say), close: () => lines?.close() }
}
