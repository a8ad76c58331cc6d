import { existsSync } from 'node:fs'
import { basename, dirname, sep } from 'node:path'
import type { Clock } from '../host/base/clock.ts'
import {
  type FolderWatch,
  type FolderWatchOptions,
  type OpenWatcher,
  openFolderWatch,
} from './folder-watch.ts'
import { explainSilence, explainTrouble, isLimit, isSilent } from './watch-trouble.ts'

/** What watching needs. */
export interface FileWatcherDeps {
  readonly clock: Clock
  /** Something at or below this path may have changed. May come twice for one save, and for a save that changed nothing. */
  readonly onTouched: (path: string) => void
  /** Something that people should know: polling instead of watching, a limit that was hit. Each is told once. */
  readonly onWarning: (message: string) => void
  /** Instead of chokidar. */
  readonly open?: OpenWatcher
  /** Whether a folder sends no events; asks the system unless said. */
  readonly isSilent?: (folder: string) => boolean
}

/** Watches folders, through deletion and return, with one look more than the system's events ask for (SWAP-7). */
export interface FileWatcher {
  /** Watches a folder with everything below it, but not what is generated or installed. Resolves when it does. */
  watchTree(folder: string): Promise<void>
  /** Watches a folder alone, for what comes and goes in it. Resolves when it does. */
  watchFolder(folder: string): Promise<void>
  /** Watches the folder that holds a file, or that will: nothing below it. */
  watchBeside(path: string): void
  close(): Promise<void>
}

/** A write that is still going on at the first look is over at this one, in milliseconds. */
const SECOND_LOOK_MS = 60

/** How long to wait before a failed watch is tried again, in milliseconds; the last one repeats. */
const BACK_OFF_MS = [500, 2_000, 10_000]

/** Watches that went blind are opened again this much later, so that a folder in turmoil is not reopened at every event. */
const REOPEN_MS = 30

/** Whether what was missing is there is looked up this much after an event, in milliseconds. */
const SETTLE_MS = 10

/** What no author writes by hand. */
const PRUNED = new Set(['node_modules', '.git', 'dist', '.amber-build'])

interface Place {
  readonly folder: string
  readonly deep: boolean
  /** Tells of everything in it, and not of what was asked for alone. */
  all: boolean
  failures: number
  /** The system allows no more watches: asking again would fail again. */
  limited: boolean
  watch: FolderWatch | undefined
  opening: Promise<void> | undefined
  reopening: boolean
}

/** Makes a watcher; chokidar is loaded at the first watch. */
export function createFileWatcher(deps: FileWatcherDeps): FileWatcher {
  const places = new Map<string, Place>()
  const wanted = new Set<string>()
  const homeless = new Set<string>()
  const timers = new Map<string, () => void>()
  const warned = new Set<string>()
  let closed = false

  const warn = (message: string) => {
    if (warned.has(message)) return
    warned.add(message)
    deps.onWarning(message)
  }
  const later = (key: string, ms: number, run: () => void) => {
    timers.get(key)?.()
    const fire = () => {
      timers.delete(key)
      if (!closed) run()
    }
    timers.set(key, deps.clock.after(ms, fire, { background: true }))
  }
  const touched = (path: string) => {
    if (closed || basename(path) === 'plugin.types.ts') return
    deps.onTouched(path)
    later(`look ${path}`, SECOND_LOOK_MS, () => deps.onTouched(path))
  }
  const isWanted = (path: string) => {
    for (const one of wanted) if (one === path || one.startsWith(path + sep)) return true
    return false
  }
  const isRoot = (path: string) => places.has(`tree ${path}`) || places.get(`flat ${path}`)?.all === true
  /** What waited for a folder to come: it may be there now, or a folder nearer to it. */
  const settle = () => {
    for (const path of [...homeless]) {
      const place = places.get(`tree ${path}`) ?? places.get(`flat ${path}`)
      if (place && (place.deep || place.all) && existsSync(path)) void open(path, place.deep)
      else beside(path)
    }
  }
  const lost = (place: Place) => {
    const { folder, deep, all } = place
    void place.watch?.close()
    place.watch = undefined
    place.opening = undefined
    homeless.add(folder)
    if (!deep && !all) places.delete(`flat ${folder}`)
    for (const path of wanted) if (path.startsWith(folder + sep)) homeless.add(path)
    later('settle', SETTLE_MS, settle)
  }
  const reopen = (place: Place) => {
    if (place.reopening) return
    place.reopening = true
    later(`reopen ${place.folder}`, REOPEN_MS, () => {
      place.reopening = false
      void place.watch?.close()
      place.watch = undefined
      place.opening = undefined
      void open(place.folder, place.deep)
    })
  }
  const failed = (place: Place, thrown: unknown) => {
    place.watch = undefined
    place.opening = undefined
    place.failures += 1
    place.limited ||= isLimit(thrown)
    warn(explainTrouble(thrown))
    const backOff = BACK_OFF_MS[Math.min(place.failures, BACK_OFF_MS.length) - 1] ?? 10_000
    const pause = place.limited && place.failures === 1 ? 0 : backOff
    later(`again ${place.deep} ${place.folder}`, pause, () => void open(place.folder, place.deep))
  }
  const begin = async (place: Place): Promise<void> => {
    const { folder, deep } = place
    const openWatcher = await (deps.open ?? import('chokidar').then((one) => one.watch))
    if (closed || place.watch) return
    if (!existsSync(folder)) return lost(place)
    const silent = (deps.isSilent ?? isSilent)(folder)
    if (silent) warn(explainSilence(folder))
    const polling = silent || place.limited || place.failures > 1
    const isOf = (path: string) => (deep ? !isPruned(folder, path) : place.all || isWanted(path))
    const watch = tryToOpen(openWatcher, {
      folder,
      deep,
      polling,
      // The events of a folder tell of its files too; where it is looked at, each file is looked at.
      ignored: (path) => (deep || polling ? !isOf(path) : true),
      onEvent(path) {
        if (homeless.size > 0 && !timers.has('settle')) later('settle', SETTLE_MS, settle)
        if (isOf(path)) touched(path)
      },
      onLost: () => lost(place),
      onStale: () => reopen(place),
      onError: (thrown) => failed(place, thrown),
    })
    if (!watch) return
    place.watch = watch
    homeless.delete(folder)
    await watch.ready
    // What changed between the caller's look at the folder and now has sent no event.
    if (!closed) deps.onTouched(folder)
  }
  const open = (folder: string, deep: boolean): Promise<void> => {
    const key = `${deep ? 'tree' : 'flat'} ${folder}`
    const place = places.get(key) ?? {
      folder,
      deep,
      all: deep,
      failures: 0,
      limited: false,
      watch: undefined,
      opening: undefined,
      reopening: false,
    }
    places.set(key, place)
    if (!closed) place.opening ??= begin(place)
    return place.opening ?? Promise.resolve()
  }
  const beside = (path: string) => {
    const isNew = !wanted.has(path)
    wanted.add(path)
    const home = dirname(path)
    const folder = nearestFolder(home)
    if (folder !== home) homeless.add(path)
    else if (!isRoot(path) || existsSync(path)) homeless.delete(path)
    if (isInTree(places, folder)) return
    const place = places.get(`flat ${folder}`)
    // A folder that is looked at looks at the paths alone that it knew of when it was opened.
    if (place?.watch?.polling && isNew) reopen(place)
    else void open(folder, false)
  }

  return {
    async watchTree(folder) {
      if (closed || isInTree(places, folder)) return
      const opening = open(folder, true)
      beside(folder)
      await opening
    },
    async watchFolder(folder) {
      if (closed) return
      const opening = open(folder, false)
      const place = places.get(`flat ${folder}`)
      if (place) place.all = true
      beside(folder)
      await opening
    },
    watchBeside(path) {
      if (!closed) beside(path)
    },
    async close() {
      closed = true
      for (const cancel of timers.values()) cancel()
      await Promise.all([...places.values()].map((one) => one.watch?.close()))
      places.clear()
    },
  }
}

/** Opens a watch; one that cannot even be opened has failed like any other. */
function tryToOpen(open: OpenWatcher, options: FolderWatchOptions): FolderWatch | undefined {
  try {
    return openFolderWatch(open, options)
  } catch (thrown) {
    options.onError(thrown)
    return undefined
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

function isInTree(places: ReadonlyMap<string, Place>, folder: string): boolean {
  for (const { folder: root, deep, opening } of places.values()) {
    if (!deep || !opening) continue
    if ((folder === root || folder.startsWith(root + sep)) && !isPruned(root, folder)) return true
  }
  return false
}

function nearestFolder(folder: string): string {
  let found = folder
  while (!existsSync(found) && dirname(found) !== found) found = dirname(found)
  return found
}
