import { realpathSync } from 'node:fs'
import type { App } from '../host/app/app.ts'
import { type Clock, wait } from '../host/base/clock.ts'
import { messageOf } from '../host/base/errors.ts'
import type { PluginInfo } from '../host/plugin/live-plugin.ts'
import type { SwapResult } from '../host/plugin/swap-result.ts'
import type { Diagnostic } from '../manifests/diagnostic.ts'
import { createAuthorTypes } from './author-types.ts'
import { createFileWatcher, type FileWatcherDeps } from './file-watcher.ts'
import { type DevEvent, diagnosticLine, eventOf } from './protocol.ts'
import { createReconciler } from './reconcile.ts'
import { createTypeErrors } from './type-errors.ts'
import type { WatchedFolder } from './watched-folder.ts'

/** What watching the plugins of an app needs. */
export interface PluginWatchDeps extends Pick<FileWatcherDeps, 'open' | 'isSilent'> {
  readonly app: Pick<App, 'plugins' | 'paths' | 'on' | 'onDiagnostic'>
  readonly clock: Clock
  /** Everything that happens, in order. Must not throw. */
  readonly onEvent: (event: DevEvent) => void
  /** Whether a plugin's types are kept; those of every watched plugin unless said. */
  readonly isTyped?: (plugin: PluginInfo) => boolean
}

/** The plugins of an app, kept in line with the disk. */
export interface PluginWatch {
  /** Watches a folder; resolves when its plugins are live or rejected and told of. */
  add(watched: WatchedFolder, options: { readonly fresh: boolean }): Promise<void>
  /**
   * Brings the generated types of every watched plugin up to date and checks its code by them, and from now on after
   * each swap. Resolves when the types are written.
   */
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
  const warnOf = (plugin: string, diagnostic: Diagnostic, about?: 'types') =>
    onEvent({
      type: 'warning',
      plugin,
      message: diagnosticLine(diagnostic),
      diagnostic,
      ...(about === undefined ? {} : { about }),
    })
  const types = createAuthorTypes({ clock, installation: app.paths.installation, onWarning: warn })
  const watcher = createFileWatcher({
    clock,
    ...(deps.open ? { open: deps.open } : {}),
    ...(deps.isSilent ? { isSilent: deps.isSilent } : {}),
    onWarning: (message) => warn(undefined, message),
    onTouched(path) {
      const alias = aliases.get(path)
      for (const one of alias === undefined ? [path] : [path, alias]) {
        reconciler.touched(one)
        typeErrors.touched(one)
      }
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

  const watched = () => {
    const folders = new Set(reconciler.folders())
    return app.plugins.list().filter((one) => folders.has(one.path))
  }
  const typed = () => watched().filter((one) => deps.isTyped?.(one) ?? true)
  const typeErrors = createTypeErrors({
    clock,
    installation: app.paths.installation,
    types,
    plugins: typed,
    inputs: (id) => app.plugins.inputs(id),
    async settled() {
      await reconciler.idle()
      await telling
    },
    onFound: (plugin, diagnostic) => warnOf(plugin, diagnostic, 'types'),
    onChanged: (plugin, diagnostics) => onEvent({ type: 'types', plugin, diagnostics }),
    onWarning: warn,
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
    if (result.kind === 'swapped') typeErrors.live(result.plugin)
    held = held.filter(
      (one) => one.plugin !== result.plugin || !said.some((other) => isSame(one.diagnostic, other)),
    )
  }
  const timeTypes = async ({ plugin }: SwapResult): Promise<number> => {
    const info = app.plugins.info(plugin)
    if (!info || !types.isWarm() || deps.isTyped?.(info) === false) return 0
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
    app.on('plugin.unloaded', ({ plugin }) => reconciler.namesFreed(plugin)),
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
      for (const info of typed()) if (!closed) await types.refresh(info)
      typeErrors.begin()
    },
    async idle() {
      await reconciler.idle()
      await telling
      await typeErrors.idle()
    },
    async close() {
      closed = true
      typeErrors.close()
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
