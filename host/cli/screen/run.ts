import { homedir } from 'node:os'
import { join } from 'node:path'
import type { ConfigFile } from '../../../manifests/config-files.gen.ts'
import type { Agent, App } from '../../app/app.ts'
import { createConfigStore } from '../../base/config.ts'
import type { Dispose } from '../../base/disposable.ts'
import { EXIT } from '../../headless/exit-code.ts'
import type { Screen, ScreenDeps } from '../../tui/index.ts'
import { listFiles } from '../../workspace/list-files.ts'
import { goOnWith } from '../conversation-choices.ts'
import type { OnNotice, ServeOptions } from '../dev-mode.ts'
import { openApp, pathsOf } from '../open-app.ts'
import { createWindowAgents, type WindowAgents } from './agents.ts'
import { bindScreenCommands, choosing } from './commands.ts'
import { createPluginFaults } from './faults.ts'
import { createLateApp, type LateApp, startingAgent } from './late-app.ts'
import { createKnownModels } from './models.ts'
import { drawFrames, type OwnPanels, ownPanels } from './panels.ts'
import type { ScreenContext, Tui } from './parts.ts'
import { editExternally, suspend } from './terminal.ts'
import { createUiDoor, watchEvents, watchedClock } from './watch.ts'

/**
 * The full-screen conversation. The terminal is given back on every way out (row T5). `serve`: with the dev server in it
 * (`amber dev --tui`).
 */
export async function run(
  context: ScreenContext,
  serve?: Pick<ServeOptions, 'folders' | 'port' | 'agent'>,
): Promise<number> {
  const { clock } = context
  const tui = await import('../../tui/index.ts')
  const early: string[] = []
  let screen: Screen | undefined
  const notice: OnNotice = (message, diagnostics = []) => {
    if (screen === undefined) early.push(message)
    else if (diagnostics.length === 0) screen.show(tui.noticeBlock(message))
    else void drawFrames(diagnostics).then((lines) => screen?.show(tui.problemBlock(message, lines)))
  }
  const end = new AbortController()
  const stopHearing = hearSignals(
    context,
    () => end.abort(),
    () => screen?.giveBack(),
  )
  const late = createLateApp()
  try {
    // The first frame stands before any plugin is read: one can see, and type, while amber starts.
    const opened = await openScreen({ context, late, tui, end })
    screen = opened.screen
    for (const message of early.splice(0)) screen.show(tui.noticeBlock(message))
    const alone = await openApp(context, notice, {
      ui: createUiDoor(() => screen, notice, tui),
      pluginClock: watchedClock(clock, () => screen?.changed()),
    })
    const app = serve === undefined ? alone : await serving(alone, { ...serve, clock, onNotice: notice })
    late.open(app)
    try {
      await opened.converse(app)
    } finally {
      await screen.close()
      await app.shutdown()
    }
    return EXIT.done
  } finally {
    await screen?.close()
    stopHearing()
  }
}

async function serving(app: App, options: ServeOptions): Promise<App> {
  try {
    return await (await import('../dev-mode.ts')).serveWhileRunning(app, options)
  } catch (thrown) {
    await app.shutdown()
    throw thrown
  }
}

/** Ends at the signals that ask for it; whoever reports an exception finds the terminal as it was. */
function hearSignals(context: ScreenContext, leave: () => void, giveBack: () => void): Dispose {
  process.on('SIGHUP', leave)
  process.on('uncaughtException', giveBack)
  const stop = context.io.onInterrupt(leave)
  return () => {
    process.off('SIGHUP', leave)
    process.off('uncaughtException', giveBack)
    stop()
  }
}

/** Settings that the open screen follows; it cannot become a conversation line by line (`display.plain`). */
const SHOWN_AT_ONCE: ReadonlySet<string> = new Set(['display.markdown', 'display.ascii'])

function shownBy({ display }: ConfigFile): ScreenDeps['shown'] {
  return { markdown: display?.markdown !== false, isAscii: display?.ascii === true }
}

interface Opening {
  readonly context: ScreenContext
  readonly late: LateApp
  readonly tui: Tui
  readonly end: AbortController
}

async function openScreen({ context, late, tui, end }: Opening) {
  const { clock, io, installation } = context
  const paths = pathsOf(context)
  const place = paths.workspace.replace(homedir(), '~')
  const leave = () => end.abort()
  const settings = createConfigStore(paths.config, clock)
  const config = await settings.read()
  let effort = config.reasoningEffort ?? ''
  let agents: WindowAgents | undefined
  let chooseModel: OwnPanels['choose'] = async () => 'amber is still starting.'
  const costs = tui.createPluginCosts(late.screenApp.snapshot, () => screen.changed())
  const models = createKnownModels(late.app)
  const faults = createPluginFaults(clock)
  /** What is not at hand comes a moment later, and then the drawer is drawn anew. */
  const choices = (source: string) => {
    void late
      .app()
      ?.prepareChoices(source)
      .then((isOther) => isOther && screen.changed())
    return late.screenApp.choices(source)
  }
  let fatal: unknown
  const screen: Screen = tui.createScreen({
    app: {
      ...late.screenApp,
      promptCost: costs.total,
      choices: (source) =>
        source === 'models' ? models.of(agents?.current()?.provider ?? '') : choices(source),
    },
    terminal: context.terminal,
    env: io.env,
    clock,
    version: installation.version,
    place,
    history: await tui.openHistory(join(paths.state, 'history.jsonl')),
    listFiles: () => listFiles(paths.workspace),
    reasoningEffort: () => effort,
    shown: shownBy(config),
    panels: ownPanels({
      app: late.app,
      screenApp: late.screenApp,
      costs,
      faults,
      models,
      tui,
      screen: () => screen,
      agents: () => agents,
      choose: (choice) => chooseModel(choice),
    }),
    onLeave: leave,
    onFatal(thrown) {
      fatal = thrown
      leave()
    },
    suspend,
    editExternally: (text) => editExternally(text, io.env),
  })
  void screen.open()
  let tellReady: (agent: Agent | PromiseLike<Agent>) => void = () => {}
  const ready = new Promise<Agent>((resolve) => {
    tellReady = resolve
  })
  const first = screen.addConversation('1', startingAgent(ready))
  return {
    screen,
    async converse(app: App) {
      const parts = { app, context, screen, tui, place, leave }
      const windowAgents = createWindowAgents(parts)
      agents = windowAgents
      chooseModel = (choice) => goOnWith(context, choosing(parts, windowAgents), choice)
      const stopHearing = app.onSetting(async (key) => {
        const now = await settings.read()
        effort = now.reasoningEffort ?? ''
        screen.setShown(shownBy(now))
        screen.changed()
        return SHOWN_AT_ONCE.has(key)
      })
      const left = new Promise<void>((resolve) => {
        if (end.signal.aborted) resolve()
        else end.signal.addEventListener('abort', () => resolve(), { once: true })
      })
      const stopWatching = watchEvents(app, screen)
      const stopCounting = app.on('plugin.swapped', costs.refresh)
      const stopNoting = faults.watch(app)
      const commands = bindScreenCommands(parts, windowAgents)
      windowAgents.onChange(() => void models.load())
      const opened = windowAgents.openFirst(first).then((agent) => {
        tellReady(agent)
        costs.refresh()
      })
      // Whoever leaves before the first window is there need not wait for it; what fails there ends amber.
      await Promise.race([opened.then(() => left), left])
      for (const window of screen.windows.all) window.cancel()
      commands.dispose()
      stopHearing()
      stopWatching()
      stopCounting()
      stopNoting()
      if (fatal !== undefined) throw fatal
    },
  }
}
