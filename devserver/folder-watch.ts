import { existsSync } from 'node:fs'
import { basename, isAbsolute, join } from 'node:path'
import type { ChokidarOptions, FSWatcher } from 'chokidar'
import { isRecord } from '../sdk/index.ts'

/** Opens a watcher; chokidar's `watch` in the program. */
export type OpenWatcher = (folder: string, options: ChokidarOptions) => FSWatcher

/** How a folder is watched. */
export interface FolderWatchOptions {
  readonly folder: string
  /** With everything below it. */
  readonly deep: boolean
  /** Looks every half second, where events do not come. */
  readonly polling: boolean
  readonly ignored: (path: string) => boolean
  /** Every single event, also those that chokidar holds back within 50 ms of the last. */
  readonly onEvent: (path: string) => void
  /** The folder itself is gone, or another one stands in its place: these watches see nothing any more. */
  readonly onLost: () => void
  /** A folder below it was replaced by one of the same name: its watches see nothing any more. */
  readonly onStale: () => void
  /** Watching failed; the watch is closed. Comes once. */
  readonly onError: (thrown: unknown) => void
}

/** One running watch. */
export interface FolderWatch {
  /** Resolves when it watches, or has failed. */
  readonly ready: Promise<void>
  readonly polling: boolean
  close(): Promise<void>
}

/** Half a second: what looking costs on a network mount forbids more (row W6). */
const POLL_MS = 500

/** Watches one folder, as a folder: watching a file goes blind after the first save by rename (architecture 3). */
export function openFolderWatch(open: OpenWatcher, options: FolderWatchOptions): FolderWatch {
  const { folder, deep, polling } = options
  const known = new Set<string>()
  const watcher = open(folder, {
    ignoreInitial: true,
    atomic: false,
    // A link below is one entry, and what it leads to is watched in its own place.
    followSymlinks: !deep,
    ignorePermissionErrors: true,
    usePolling: polling,
    interval: POLL_MS,
    binaryInterval: POLL_MS,
    ignored: (path) => path !== folder && options.ignored(path),
    ...(deep ? {} : { depth: 0 }),
  })
  // When its folder goes, chokidar begins to watch the parent, even after it was closed: our watches are ours to move.
  watcher.add = () => watcher
  let over = false
  let isReady: () => void = () => {}
  const end = async () => {
    over = true
    isReady()
    const closing = watcher.close()
    // Closing takes the listeners away, and an error that comes after would end the process.
    watcher.on('error', () => {})
    await closing
  }
  const changed = (path: string, isEntry: boolean) => {
    if (over) return
    options.onEvent(path)
    if (path === folder && isEntry) return options.onLost()
    if (isEntry && deep && known.has(path) && existsSync(path)) options.onStale()
  }
  watcher.on('all', (event, path) => {
    if (event === 'addDir') known.add(path)
    changed(path, path === folder && event === 'unlinkDir')
  })
  watcher.on('raw', (event, name, details: unknown) =>
    changed(rawPath(folder, name, details), event === 'rename'),
  )
  const ready = new Promise<void>((resolve) => {
    isReady = resolve
    watcher.on('ready', () => {
      for (const path of Object.keys(watcher.getWatched())) if (path.startsWith(folder)) known.add(path)
      resolve()
    })
    watcher.on('error', (thrown) => {
      if (over) return
      void end()
      options.onError(thrown)
    })
  })
  return { ready, polling, close: end }
}

/** The path of a raw event. A watch of a file, and a folder's event about itself, name the watched path's own last part. */
function rawPath(folder: string, name: unknown, details: unknown): string {
  const watched = isRecord(details) && typeof details.watchedPath === 'string' ? details.watchedPath : folder
  if (typeof name !== 'string' || name === '' || name === basename(watched)) return watched
  return isAbsolute(name) ? name : join(watched, name)
}
