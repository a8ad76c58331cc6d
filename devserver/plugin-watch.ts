import { realpathSync } from 'node:fs'
import type { App } from '../host/app/app.ts'
import { type Clock, wait } from '../host/base/clock.ts'
import { messageOf } from '../host/base/errors.ts'
import type { SwapResult } from '../host/plugin/swap-result.ts'
import type { Diagnostic } from '../manifests/diagnostic.ts'
import { createAuthorTypes } from './author-types.ts'
import { createFileWatcher, type FileWatcherDeps } from './file-watcher.ts'
import { type DevEvent, diagnosticLine, eventOf } from './protocol.ts'
import { createReconciler } from './reconcile.ts'
import type { WatchedFolder } from './watched-folder.ts'

/** What watching the plugins of an app needs. */
export interface PluginWatchDeps extends Pick<FileWatcherDeps, 'open' | 'isSilent'> {
  readonly app: Pick<App, 'plugins' | 'paths' | 'on' | 'onDiagnostic'>
  readonly clock: Clock
  /** Everything that happens, in order. Must not throw. */
  readonly onEvent: (event: DevEvent) => void
}

/** The plugins of an app, kept in line with the disk. */
export interface PluginWatch {
  /** Watches a folder; resolves when its plugins are live or rejected and told of. */
  add(watched: WatchedFolder, options: { readonly fresh: boolean }): Promise<void>
  /** Brings the generated types of every watched plugin up to date, and from now on after each swap. */
  keepTypes(): Promise<void>
  /** Resolves when nothing is under way and everything was told. */
  idle(): Promise<void>
  close(): Promise<void>
}

/** How long the telling of a swap waits for the types, so that their time is told with it. Milliseconds. */
const TYPES_WAIT_MS = 250

/** Makes a watch over an app's plugins. */
export function createPluginWatch(deps: PluginWatchDeps): PluginWatch {
  const { app, clock, onEvent } = deps
  const aliases = new Map<string, string>()
  let held: { readonly plugin: string; readonly diagnostic: Diagnostic }[] = []
  let telling: Promise<void> = Promise.resolve()
  let closed = false

  const warn = (plugin: string | undefined, message: string) =>
    onEvent({ type: 'warning', ...(plugin === undefined ? {} : { plugin }), message })
  const warnOf = (plugin: string, diagnostic: Diagnostic) =>
    onEvent({ type: 'warning', plugin, message: diagnosticLine(diagnostic), diagnostic })
  const types = createAuthorTypes({ clock, installation: app.paths.installation, onWarning: warn })
  const watcher = createFileWatcher({
    clock,
    ...(deps.open ? { open: deps.open } : {}),
    ...(deps.isSilent ? { isSilent: deps.isSilent } : {}),
    onWarning: (message) => warn(undefined, message),
    onTouched(path) {
      reconciler.touched(path)
      const alias = aliases.get(path)
      if (alias !== undefined) reconciler.touched(alias)
    },
  })
  const reconciler = createReconciler({
    plugins: app.plugins,
    clock,
    onResult(result) {
      telling = telling.then(() => tell(result))
    },
    onSettled() {
      watchInputs()
      void reconciler.idle().then(tellHeld)
    },
    onAwaited: (file) => watcher.watchBeside(file),
  })

  /** Findings that a swap's own result names are told once, with it. */
  const tell = async (result: SwapResult) => {
    const event = eventOf(result)
    if (event === undefined) return
    onEvent(
      event.type === 'swap'
        ? { ...event, phases: { ...event.phases, types: await timeTypes(result) } }
        : event,
    )
    const said = 'diagnostics' in result ? result.diagnostics : []
    if (result.kind === 'swapped') for (const one of said) warnOf(result.plugin, one)
    held = held.filter(
      (one) => one.plugin !== result.plugin || !said.some((other) => isSame(one.diagnostic, other)),
    )
  }
  const timeTypes = async ({ plugin }: SwapResult): Promise<number> => {
    const info = app.plugins.info(plugin)
    if (!info || !types.isWarm()) return 0
    const spent = await Promise.race([types.refresh(info), wait(clock, TYPES_WAIT_MS).then(() => 0)])
    return Math.round(spent * 100) / 100
  }
  const tellHeld = () => {
    telling = telling.then(() => {
      if (reconciler.busy()) return
      const all = held
      held = []
      for (const { plugin, diagnostic } of all) warnOf(plugin, diagnostic)
    })
  }
  const watched = () => {
    const folders = new Set(reconciler.folders())
    return app.plugins.list().filter((one) => folders.has(one.path))
  }
  const watchInputs = () => {
    for (const folder of reconciler.folders()) void watcher.watchTree(folder)
    for (const { id } of watched()) {
      for (const path of app.plugins.inputs(id)) {
        watcher.watchBeside(path)
        const real = realOr(path)
        if (real === path) continue
        aliases.set(real, path)
        watcher.watchBeside(real)
      }
    }
  }
  const undo = [
    app.on('plugin.swapped', () => watchInputs()),
    app.onDiagnostic((plugin, diagnostic) => {
      held.push({ plugin, diagnostic })
      if (!reconciler.busy()) tellHeld()
    }),
  ]

  return {
    async add(folder, options) {
      // The watch is asked for before the first reading: what changes in between is seen by one of them.
      const watching: Promise<void>[] = []
      if (folder.isParent) watching.push(watcher.watchFolder(folder.folder))
      else watcher.watchBeside(folder.folder)
      const offering = reconciler.add(folder, options)
      for (const one of reconciler.folders()) watching.push(watcher.watchTree(one))
      await Promise.all([offering, ...watching])
      await reconciler.idle()
      await telling
    },
    async keepTypes() {
      try {
        await types.warm()
      } catch (thrown) {
        return warn(undefined, `no types can be generated: ${messageOf(thrown)}`)
      }
      for (const info of watched()) if (!closed) await types.refresh(info)
    },
    async idle() {
      await reconciler.idle()
      await telling
    },
    async close() {
      closed = true
      for (const one of undo) one()
      reconciler.close()
      await watcher.close()
      await reconciler.idle()
      await telling
    },
  }
}

function isSame(a: Diagnostic, b: Diagnostic): boolean {
  return a.code === b.code && a.file === b.file && a.line === b.line && a.message === b.message
}

function realOr(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
