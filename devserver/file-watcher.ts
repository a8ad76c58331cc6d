import { existsSync, statfsSync } from 'node:fs'
import { basename, dirname, sep } from 'node:path'
import type { ChokidarOptions, FSWatcher } from 'chokidar'
import type { Clock } from '../host/base/clock.ts'
import { messageOf, systemCode } from '../host/base/errors.ts'

/** What watching needs. */
export interface FileWatcherDeps {
  readonly clock: Clock
  /** Something at or below this path may have changed. May come twice for one save, and for a save that changed nothing. */
  readonly onTouched: (path: string) => void
  /** Something that people should know: polling instead of watching, a limit that was hit. Each is told once. */
  readonly onWarning: (message: string) => void
}

/** Watches folders, as folders: watching a file goes blind after the first save by rename (architecture 3). */
export interface FileWatcher {
  /** Watches a folder with everything below it, but not what is generated or installed. */
  watchTree(folder: string): Promise<void>
  /** Watches the folder that holds a file, or that will: nothing below it. */
  watchBeside(path: string): void
  close(): Promise<void>
}

/** Chokidar drops a change within 50 ms of the last and sends none later; a second look this much later finds it. */
const SECOND_LOOK_MS = 60

/** How long to wait before a failed watch is tried again, in milliseconds; the last one repeats. */
const BACK_OFF_MS = [500, 2_000, 10_000]

/** What no author writes by hand. */
const PRUNED = new Set(['node_modules', '.git', 'dist', '.amber-build'])

/** Kinds of file system that send no events of others' writes: NFS, SMB, 9p (WSL), VirtualBox, AFS. */
const SILENT_FILE_SYSTEMS = new Set([
  0x6969, 0xff534d42, 0xfe534d42, 0x517b, 0x01021997, 0x786f4256, 0x5346414f,
])

/** Makes a watcher; chokidar is loaded at the first watch. */
export function createFileWatcher(deps: FileWatcherDeps): FileWatcher {
  const looks = new Map<string, () => void>()
  const watchers = new Map<string, FSWatcher>()
  const warned = new Set<string>()
  let closed = false

  const warn = (message: string) => {
    if (warned.has(message)) return
    warned.add(message)
    deps.onWarning(message)
  }
  const touched = (path: string) => {
    if (closed || basename(path).endsWith('.types.ts')) return
    deps.onTouched(path)
    looks.get(path)?.()
    looks.set(
      path,
      deps.clock.after(SECOND_LOOK_MS, () => {
        looks.delete(path)
        if (!closed) deps.onTouched(path)
      }),
    )
  }

  const open = async (key: string, folder: string, options: ChokidarOptions, failures = 0): Promise<void> => {
    const { watch } = await import('chokidar')
    if (closed) return
    const polling = failures > 0 || isSilent(folder)
    if (polling && failures === 0)
      warn(`${folder} is on a file system that sends no events: amber looks every half second instead`)
    const watcher = watch(folder, {
      ignoreInitial: true,
      atomic: false,
      followSymlinks: true,
      ignorePermissionErrors: true,
      usePolling: polling,
      interval: 500,
      ...options,
    })
    watchers.set(key, watcher)
    watcher.on('all', (_event, path) => touched(path))
    watcher.on('error', (thrown) => {
      if (closed || watchers.get(key) !== watcher) return
      watchers.delete(key)
      void watcher.close()
      warn(explain(thrown))
      const pause = BACK_OFF_MS[Math.min(failures, BACK_OFF_MS.length - 1)] ?? 10_000
      deps.clock.after(pause, () => void open(key, folder, options, failures + 1), { background: true })
    })
    await new Promise<void>((resolve) => watcher.once('ready', () => resolve()))
    // What changed between the caller's look at the folder and now has sent no event.
    if (!closed) deps.onTouched(folder)
  }

  return {
    async watchTree(folder) {
      const key = `tree ${folder}`
      if (watchers.has(key)) return
      await open(key, folder, { ignored: (path) => isPruned(folder, path) })
    },
    watchBeside(path) {
      const folder = nearestFolder(dirname(path))
      const key = `flat ${folder}`
      if (closed || watchers.has(key) || isInTree(watchers.keys(), folder)) return
      void open(key, folder, { depth: 0 })
    },
    async close() {
      closed = true
      for (const cancel of looks.values()) cancel()
      await Promise.all([...watchers.values()].map((one) => one.close()))
      watchers.clear()
    },
  }
}

function isPruned(root: string, path: string): boolean {
  return (
    path !== root &&
    path
      .slice(root.length)
      .split(sep)
      .some((part) => PRUNED.has(part))
  )
}

function isInTree(keys: Iterable<string>, folder: string): boolean {
  for (const key of keys) {
    if (!key.startsWith('tree ')) continue
    const root = key.slice(5)
    if ((folder === root || folder.startsWith(root + sep)) && !isPruned(root, folder)) return true
  }
  return false
}

function nearestFolder(folder: string): string {
  let found = folder
  while (!existsSync(found) && dirname(found) !== found) found = dirname(found)
  return found
}

function isSilent(folder: string): boolean {
  try {
    return SILENT_FILE_SYSTEMS.has(statfsSync(folder).type >>> 0)
  } catch {
    return false
  }
}

function explain(thrown: unknown): string {
  const code = systemCode(thrown)
  if (code === 'ENOSPC') {
    return 'the system allows no more watched folders (ENOSPC): amber looks every half second instead. To mend it: sudo sysctl fs.inotify.max_user_watches=524288'
  }
  if (code === 'EMFILE') {
    return 'the system allows no more open watches (EMFILE): amber looks every half second instead. To mend it: sudo sysctl fs.inotify.max_user_instances=1024'
  }
  return `watching failed (${messageOf(thrown)}): amber tries again, and looks every half second meanwhile`
}
