import { homedir } from 'node:os'
import { join } from 'node:path'
import type { PluginUi } from '../../sdk/index.ts'
import { APPROVAL_TIMEOUT_MS } from '../agent/approval.ts'
import type { Approver } from '../agent/turn.ts'
import type { Agent, App } from '../app/app.ts'
import { createConfigStore } from '../base/config.ts'
import { EXIT } from '../headless/exit-code.ts'
import type { Screen } from '../tui/index.ts'
import type { CliContext } from './context.ts'
import { chooseOnFirstRun } from './first-run.ts'
import type { Io } from './io.ts'
import { agentOptions, openApp, pathsOf } from './open-app.ts'
import { bindScreenCommands } from './screen-commands.ts'
import { editExternally, suspend } from './screen-terminal.ts'

/** What a screen is run with. */
export type ScreenContext = CliContext & { readonly terminal: NonNullable<Io['terminal']> }

/** The full-screen conversation. The terminal is given back on every way out (row T5). */
export async function run(context: ScreenContext): Promise<number> {
  const { clock, io } = context
  const paths = pathsOf(context)
  const tui = await import('../tui/index.ts')
  const early: string[] = []
  let screen: Screen | undefined
  const notice = (message: string) => {
    if (screen === undefined) early.push(message)
    else screen.show(tui.noticeBlock(message))
  }
  // Before the app: whoever hears of an exception after this finds the terminal as it was.
  const restore = () => void screen?.close()
  process.on('uncaughtException', restore)
  const door = createDoor(() => screen, notice, tui)
  const app = await openApp(context, notice, {
    ui: door,
    pluginClock: watchedClock(clock, () => screen?.changed()),
  })
  const end = new AbortController()
  let fatal: unknown
  const leave = () => end.abort()
  process.on('SIGHUP', leave)
  const ignoreInterrupt = io.onInterrupt(leave)
  try {
    const config = await createConfigStore(paths.config, clock).read()
    screen = tui.createScreen({
      app,
      terminal: context.terminal,
      env: io.env,
      clock,
      version: context.installation.version,
      place: paths.workspace.replace(homedir(), '~'),
      history: await tui.openHistory(join(paths.state, 'history.jsonl')),
      listFiles: () => tui.listFiles(paths.workspace),
      showMarkdown: config.display?.markdown !== false,
      panels: [],
      onLeave: leave,
      onFatal(thrown) {
        fatal = thrown
        leave()
      },
      suspend,
      editExternally: (text) => editExternally(text, io.env),
    })
    screen.open()
    for (const message of early.splice(0)) screen.show(tui.noticeBlock(message))
    const stopWatching = watch(app, screen)
    await converse({ app, context, screen, end, place: paths.workspace, tui })
    stopWatching()
    if (fatal !== undefined) throw fatal
    return EXIT.done
  } finally {
    await screen?.close()
    process.off('SIGHUP', leave)
    process.off('uncaughtException', restore)
    ignoreInterrupt()
    await app.shutdown()
  }
}

type Tui = typeof import('../tui/index.ts')

interface Conversing {
  readonly app: App
  readonly context: ScreenContext
  readonly screen: Screen
  readonly end: AbortController
  readonly place: string
  readonly tui: Tui
}

/** Opens the first window and stays until the user leaves. */
async function converse(parts: Conversing): Promise<void> {
  const { app, context, screen, end, tui } = parts
  const given = await agentOptions(context, { approver: createApprover(parts), interactive: true })
  const ask = (question: string) => door(parts).askText(question)
  const say = (text: string) => screen.show(tui.noticeBlock(text, 'plain'))
  const choice = await chooseOnFirstRun({ app, context, named: given, ask, say })
  const agent: Agent = await app.createAgent({ ...given, ...choice })
  screen.addConversation('1', agent)
  const unbind = bindScreenCommands({ app, screen, agent, leave: () => end.abort() })
  await new Promise<void>((resolve) => {
    if (end.signal.aborted) resolve()
    else end.signal.addEventListener('abort', () => resolve(), { once: true })
  })
  for (const window of screen.windows.all) window.cancel()
  unbind()
}

const door = ({ screen, tui }: Pick<Conversing, 'screen' | 'tui'>): PluginUi =>
  tui.createPluginUi(screen.dialogs, { asker: 'amber', notify: () => {} })

/** Plugins may ask before the screen is there: then nobody is, and what they ask fails closed. */
function createDoor(screen: () => Screen | undefined, notify: (message: string) => void, tui: Tui): PluginUi {
  const ui = () => {
    const open = screen()
    return open === undefined ? undefined : tui.createPluginUi(open.dialogs, { asker: 'a plugin', notify })
  }
  return {
    notify,
    confirm: async (question) => (await ui()?.confirm(question)) ?? false,
    choose: async (question, choices) => ui()?.choose(question, choices),
    askText: async (question) => ui()?.askText(question),
    askSecret: async (question) => ui()?.askSecret(question),
  }
}

function createApprover({ context, screen, place, tui }: Conversing): Approver {
  return (request, signal) =>
    screen.dialogs.open<'once' | 'session' | 'deny'>(
      (answer) =>
        tui.approvalDialog(
          request,
          {
            place: place.replace(homedir(), '~'),
            deadline: context.clock.monotonic() + APPROVAL_TIMEOUT_MS,
          },
          answer,
        ),
      { signal, otherwise: 'deny' },
    )
}

/** The screen is drawn anew when something happens, and for nothing else. */
function watch(app: App, screen: Screen): () => void {
  const changed = () => screen.changed()
  const names = [
    'plugin.loaded',
    'plugin.unloaded',
    'plugin.swapped',
    'turn.ended',
    'tool.completed',
    'llm.response',
  ] as const
  const stops = names.map((name) => app.on(name, changed))
  stops.push(
    app.on('llm.response', ({ inputTokens, outputTokens, durationMs }) => {
      const figures = screen.windows.current()?.figures
      if (figures === undefined) return
      figures.promptTokens = inputTokens
      figures.completionTokens = outputTokens
      figures.tps =
        outputTokens === undefined || durationMs <= 0 ? undefined : outputTokens / (durationMs / 1000)
    }),
  )
  return () => {
    for (const stop of stops) stop()
  }
}

/** A clock that tells when a plugin's timer has run: what it changed may be on the screen. */
function watchedClock(clock: CliContext['clock'], changed: () => void): CliContext['clock'] {
  return {
    ...clock,
    every: (ms, run, options) =>
      clock.every(
        ms,
        () => {
          run()
          changed()
        },
        options,
      ),
  }
}
