import { existsSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { Clock } from '../host/base/clock.ts'
import type { Plugins } from '../host/plugin/plugins.ts'
import type { SwapResult } from '../host/plugin/swap-result.ts'
import type { PluginSource } from '../host/registry/contribution.ts'

/** What reconciling needs. */
export interface ReconcileDeps {
  readonly plugins: Plugins
  readonly clock: Clock
  /** Every swap, rejection and removal; `unchanged` is not told. */
  readonly onResult: (result: SwapResult) => void
}

/** A folder that is watched for plugins. */
export interface WatchedFolder {
  /** A plugin's own folder, or the parent of plugin folders. Absolute. */
  readonly folder: string
  readonly source: PluginSource
  readonly isParent: boolean
}

/** Brings the running host in line with the disk, path by path (SWAP-1, SWAP-7, SWAP-8). */
export interface Reconciler {
  /** A path may have changed. */
  touched(path: string): void
  /** Adds a folder; resolves when its plugins are live or rejected. */
  add(watched: WatchedFolder, folders: readonly string[]): Promise<readonly SwapResult[]>
  /** Resolves when nothing is under way. */
  idle(): Promise<void>
  close(): void
}

/** A folder that vanished may be on its way back: a checkout, an editor, an unpacking. Milliseconds. */
const GRACE_MS = 300

/** Makes a reconciler. */
export function createReconciler(deps: ReconcileDeps): Reconciler {
  const { plugins, clock } = deps
  const watched: WatchedFolder[] = []
  const running = new Set<Promise<unknown>>()
  const leaving = new Map<string, () => void>()
  let closed = false

  const track = <Value>(work: Promise<Value>): Promise<Value> => {
    running.add(work)
    void work.finally(() => running.delete(work)).catch(() => {})
    return work
  }
  const settle = async (work: Promise<SwapResult>): Promise<SwapResult> => {
    const result = await track(work)
    if (result.kind !== 'unchanged' && !closed) deps.onResult(result)
    return result
  }
  const swap = (id: string, folder: string) => {
    if (existsSync(join(folder, 'plugin.json'))) {
      leaving.get(id)?.()
      leaving.delete(id)
      void settle(plugins.swap(id))
    } else if (!leaving.has(id)) {
      leaving.set(
        id,
        clock.after(GRACE_MS, () => leave(id, folder)),
      )
    }
  }
  const leave = (id: string, folder: string) => {
    leaving.delete(id)
    if (closed || existsSync(join(folder, 'plugin.json'))) return
    void settle(plugins.remove(id))
  }
  /** A plugin folder that is not known yet, at or below a watched folder, on the way to the touched path. */
  const newcomer = (path: string) => {
    for (const { folder, source, isParent } of watched) {
      if (path !== folder && !path.startsWith(folder + sep)) continue
      const child = isParent ? path.slice(folder.length + 1).split(sep)[0] : ''
      if (child === undefined || (isParent && child === '')) continue
      const candidate = child === '' ? folder : join(folder, child)
      const isKnown = plugins.list().some((one) => one.path === candidate)
      if (!isKnown && existsSync(join(candidate, 'plugin.json')))
        void settle(plugins.offer(candidate, source))
    }
  }

  return {
    touched(path) {
      if (closed) return
      for (const info of plugins.list()) {
        const isOwn =
          path === info.path || path.startsWith(info.path + sep) || info.path.startsWith(path + sep)
        if (isOwn || plugins.inputs(info.id).includes(path)) swap(info.id, info.path)
      }
      newcomer(path)
    },
    async add(folder, found) {
      watched.push(folder)
      return Promise.all(found.map((one) => settle(plugins.offer(one, folder.source))))
    },
    async idle() {
      while (running.size > 0) await Promise.allSettled(running)
    },
    close() {
      closed = true
      for (const cancel of leaving.values()) cancel()
    },
  }
}
