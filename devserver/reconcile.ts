import { join } from 'node:path'
import type { AppPlugins } from '../host/app/app.ts'
import type { Clock } from '../host/base/clock.ts'
import type { SwapResult } from '../host/plugin/swap-result.ts'
import type { PluginSource } from '../host/registry/contribution.ts'
import {
  candidatesAt,
  isFolder,
  isOrHolds,
  isThere,
  readOr,
  realOf,
  type WatchedFolder,
} from './watched-folder.ts'

/** What reconciling needs. */
export interface ReconcileDeps {
  readonly plugins: Pick<AppPlugins, 'list' | 'inputs' | 'swap' | 'offer' | 'remove'>
  readonly clock: Clock
  /** Every swap, rejection and removal; `unchanged` is not told. */
  readonly onResult: (result: SwapResult) => void
  /** Something was read: what a plugin is made of, and so what to watch, may be different now. */
  readonly onSettled: () => void
  /** A folder beside plugin folders holds no manifest: this is where one may come. */
  readonly onAwaited: (manifestFile: string) => void
}

/** Brings the running host in line with the disk, path by path (SWAP-1, SWAP-7, SWAP-8). */
export interface Reconciler {
  /** A path may have changed. */
  touched(path: string): void
  /** A plugin let its names go in another way than by a change of its files: it was switched off. */
  namesFreed(plugin: string): void
  /** Takes charge of a folder's plugins and offers them; `fresh` also runs those that the host knows already. */
  add(watched: WatchedFolder, options: { readonly fresh: boolean }): Promise<void>
  /** Whether a plugin is being read, built or loaded at this moment. */
  busy(): boolean
  /** Where the plugins are that it is in charge of: real paths. */
  folders(): readonly string[]
  /** Resolves when nothing is under way. */
  idle(): Promise<void>
  close(): void
}

/** A folder that vanished may be on its way back: a checkout, an editor, an unpacking. Milliseconds. */
const GRACE_MS = 300

/** A touched file that no plugin is made of is looked into after this, in milliseconds, however often it is written (W8). */
const NOISE_MS = 60

/** A folder that holds a plugin, or held one a moment ago. */
interface Seat {
  /** As it was found; it may be a link (W12). */
  readonly origin: string
  readonly source: PluginSource
  real: string
  offering: boolean
  /** Touched while it was offered. */
  again: boolean
  /** The manifest that was refused because another folder has its id. */
  refused: string | undefined
  stopLeaving: (() => void) | undefined
  stopNoise: (() => void) | undefined
}

/** `fresh`: run it, known or not. `seat`: the host has it already, so only a fault is worth telling. */
type Taking = 'offer' | 'fresh' | 'seat'

/** Makes a reconciler. */
export function createReconciler(deps: ReconcileDeps): Reconciler {
  const { plugins, clock } = deps
  const watched: WatchedFolder[] = []
  const seats = new Map<string, Seat>()
  const running = new Set<Promise<unknown>>()
  const told = new Set<string>()
  // Requests that joined in one run have one result, which is told once.
  const results = new WeakSet<SwapResult>()
  let closed = false

  const track = (work: Promise<unknown>) => {
    const one = work.finally(() => running.delete(one))
    running.add(one)
    // A rejection is a bug: it goes to whoever listens for those, as an unhandled one.
  }
  const tell = (result: SwapResult, asked: string | undefined) => {
    if (closed || results.has(result)) return
    results.add(result)
    if (asked !== undefined && result.plugin !== asked && told.delete(asked))
      deps.onResult({ kind: 'removed', plugin: asked })
    if (result.kind === 'removed' ? !told.delete(result.plugin) : result.kind === 'unchanged') return
    if (result.kind !== 'removed') told.add(result.plugin)
    deps.onResult(result)
    if (freesNames(result)) retryConflicts(result.plugin)
  }
  /** A plugin that was refused for a name which another held may have it now (LED-5). */
  const retryConflicts = (except: string) => {
    if (closed) return
    for (const { id, diagnostics } of plugins.list()) {
      if (id === except || !diagnostics.some((one) => one.code === 'AMB3004')) continue
      const retry = async () => {
        const result = await plugins.swap(id, { fresh: true })
        if (result.kind === 'swapped') tell(result, id)
      }
      track(retry())
    }
  }
  const swap = (id: string) => {
    const run = async () => {
      tell(await plugins.swap(id), id)
      deps.onSettled()
    }
    track(run())
  }
  const offer = async (seat: Seat, how: Taking): Promise<void> => {
    seat.offering = true
    seat.real = realOf(seat.origin) ?? seat.origin
    const manifest = readOr(join(seat.origin, 'plugin.json'))
    let result = await plugins.offer(seat.real, seat.source)
    if (result.kind === 'unchanged' && how === 'fresh')
      result = await plugins.swap(result.plugin, { fresh: true })
    seat.offering = false
    const isIn = plugins.list().some((one) => one.path === seat.real)
    seat.refused = isIn || result.kind !== 'rejected' ? undefined : manifest
    if (how !== 'seat' || result.kind === 'rejected') tell(result, undefined)
    deps.onSettled()
    if (seat.again) {
      seat.again = false
      touched(join(seat.origin, 'plugin.json'))
    }
  }
  const take = (origin: string, source: PluginSource, how: Taking): Promise<void> => {
    const seat: Seat = seats.get(origin) ?? {
      origin,
      source,
      real: origin,
      offering: false,
      again: false,
      refused: undefined,
      stopLeaving: undefined,
      stopNoise: undefined,
    }
    seats.set(origin, seat)
    const work = offer(seat, how)
    track(work)
    return work
  }
  const idAt = (folder: string) => plugins.list().find((one) => one.path === folder)?.id
  const leave = (seat: Seat) => {
    seat.stopLeaving = undefined
    if (isThere(seat.origin)) return visit(seat, true)
    seats.delete(seat.origin)
    depart(seat)
  }
  const depart = (seat: Seat) => {
    const id = idAt(seat.real)
    if (id === undefined) return
    const run = async () => {
      tell(await plugins.remove(id), id)
      deps.onSettled()
    }
    track(run())
  }
  /** Something at, in or above a seat was touched. */
  const visit = (seat: Seat, isInput: boolean) => {
    if (seat.offering) {
      seat.again = true
      return
    }
    if (!isThere(seat.origin)) {
      seat.stopLeaving ??= clock.after(GRACE_MS, () => leave(seat))
      return
    }
    seat.stopLeaving?.()
    seat.stopLeaving = undefined
    if (realOf(seat.origin) !== seat.real) {
      depart(seat)
      void take(seat.origin, seat.source, 'offer')
      return
    }
    const id = idAt(seat.real)
    if (id === undefined) {
      if (readOr(join(seat.origin, 'plugin.json')) !== seat.refused)
        void take(seat.origin, seat.source, 'offer')
    } else if (isInput || plugins.inputs(id).length === 0) swap(id)
    else {
      const look = () => {
        seat.stopNoise = undefined
        if (!closed) swap(id)
      }
      seat.stopNoise ??= clock.after(NOISE_MS, look)
    }
  }
  /** Plugin folders that are not known yet, on the way to the touched path or below it. */
  const newcomers = (path: string) => {
    for (const folder of watched) {
      if (!folder.takesNew) continue
      for (const candidate of candidatesAt(folder, path)) {
        if (seats.has(candidate)) continue
        if (isThere(candidate)) void take(candidate, folder.source, 'offer')
        else if (isFolder(candidate)) deps.onAwaited(join(candidate, 'plugin.json'))
      }
    }
  }
  const touched = (path: string) => {
    if (closed) return
    const inputs = new Map(plugins.list().map((one) => [one.path, plugins.inputs(one.id)]))
    const isInput = (folder: string) => inputs.get(folder)?.some((one) => isOrHolds(path, one)) ?? false
    const seated = new Set<string>()
    for (const seat of [...seats.values()]) {
      seated.add(seat.real)
      const near = [seat.origin, seat.real].some((one) => isOrHolds(path, one) || isOrHolds(one, path))
      if (near || isInput(seat.real)) visit(seat, isInput(seat.real))
    }
    newcomers(path)
  }

  return {
    touched,
    namesFreed: retryConflicts,
    async add(folder, { fresh }) {
      watched.push(folder)
      for (const one of plugins.list()) told.add(one.id)
      const found = candidatesAt(folder, folder.folder).filter((one) => isThere(one) && !seats.has(one))
      const known = new Set(plugins.list().map((one) => one.path))
      const taken = found.map((one) => {
        const isKnown = known.has(realOf(one) ?? one)
        if (!isKnown && !folder.takesNew) return undefined
        return take(one, folder.source, fresh ? 'fresh' : isKnown ? 'seat' : 'offer')
      })
      await Promise.all(taken)
    },
    busy: () => running.size > 0,
    folders: () => [...seats.values()].map((one) => one.real),
    async idle() {
      while (running.size > 0) await Promise.allSettled(running)
    },
    close() {
      closed = true
      for (const seat of seats.values()) {
        seat.stopLeaving?.()
        seat.stopNoise?.()
      }
    },
  }
}

/** A group of tools that changed may have one less. */
function freesNames(result: SwapResult): boolean {
  return result.kind === 'swapped' && result.changed.some((one) => one.change !== 'added')
}
