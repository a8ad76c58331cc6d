import type { App } from '../app/app.ts'
import { sanitiseText } from '../base/sanitise.ts'
import { EXIT } from '../headless/exit-code.ts'
import type { CliContext } from './context.ts'
import { openApp } from './open-app.ts'

/** `amber command ROOT PATH… [ARG]`: runs a slash command headless (CMD-8). */
export async function run(
  options: { readonly words: readonly string[] },
  context: CliContext,
): Promise<number> {
  const { io } = context
  const { terminal } = io
  const say = (message: string) => io.err.write(`${sanitiseText(message)}\n`)
  let app: App | undefined
  const asking =
    terminal === undefined
      ? undefined
      : (await import('./command-ui.ts')).createCommandUi(terminal, () => app, say)
  app = await openApp(context, say, asking === undefined ? {} : { ui: asking.door })
  const stop = new AbortController()
  const unlisten = io.onInterrupt(() => stop.abort())
  try {
    const result = await app.runCommand(options.words.join(' '), { signal: stop.signal })
    const text = io.out.isTTY ? sanitiseText(result.text) : result.text
    const output = result.ok ? io.out : io.err
    if (text !== '') output.write(text.endsWith('\n') ? text : `${text}\n`)
    if (stop.signal.aborted) return EXIT.interrupted
    return result.ok ? EXIT.done : EXIT.failed
  } finally {
    unlisten()
    asking?.close()
    await app.shutdown()
  }
}
