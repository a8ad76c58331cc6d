import { existsSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { Clock } from '../host/base/clock.ts'
import { messageOf } from '../host/base/errors.ts'
import { lookAt } from '../host/base/look-at.ts'
import type { PluginInfo } from '../host/plugin/live-plugin.ts'
import { typeCheck } from '../host/plugin/type-check.ts'
import type { Diagnostic } from '../manifests/diagnostic.ts'
import type { AuthorTypes } from './author-types.ts'
import { isOrHolds } from './watched-folder.ts'

/** What watching an author's types needs. */
export interface TypeErrorsDeps {
  readonly clock: Clock
  /** Where the running amber is installed: its compiler is used where the author has none. */
  readonly installation: string
  readonly types: AuthorTypes
  /** The plugins that are watched. */
  readonly plugins: () => readonly PluginInfo[]
  /** The files that a plugin is made of, also those outside its folder. */
  readonly inputs: (id: string) => readonly string[]
  /** Resolves when no swap is under way: the types come after it and hold nothing back (SWAP-2). */
  readonly settled: () => Promise<void>
  /** A finding that was not there before. */
  readonly onFound: (plugin: string, diagnostic: Diagnostic) => void
  /** All that stands now, whenever that is another than before; empty when everything is mended. */
  readonly onChanged: (plugin: string, diagnostics: readonly Diagnostic[]) => void
  /** The compiler could not run. */
  readonly onWarning: (plugin: string, message: string) => void
}

/** Type-checks the plugins that are watched, one after another, after what is saved is live. */
export interface TypeErrors {
  /** Checks every plugin, and from now on each one whose files change. */
  begin(): void
  /** Something at this path may have changed. */
  touched(path: string): void
  /** A plugin's newest state went live: what could not be checked before can be now. */
  live(id: string): void
  /** Resolves when nothing is left to check. */
  idle(): Promise<void>
  close(): void
}

/** A burst of saves is one check, this much after its last one. Milliseconds. */
const PAUSE_MS = 40

/** A compiler that takes longer is ended. Milliseconds. */
const DEADLINE_MS = 60_000

/** Findings of a plugin that are kept, and of one check that are told one by one. */
const MAX_KEPT = 100
const MAX_TOLD = 10

/** What a compiler reads. */
const SOURCES = new Set(['', '.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json'])

/** Makes one; nothing is checked before `begin`. */
export function createTypeErrors(deps: TypeErrorsDeps): TypeErrors {
  const due = new Set<string>()
  const seen = new Map<string, string>()
  const standing = new Map<string, readonly Diagnostic[]>()
  const warned = new Set<string>()
  let state: 'waiting' | 'begun' | 'closed' = 'waiting'
  let running: { readonly id: string; readonly stop: AbortController } | undefined
  let work: Promise<void> | undefined
  let stopPause: (() => void) | undefined

  const ask = (id: string) => {
    if (state !== 'begun') return
    // At the end, also where it was looked at before: the running round comes to it again.
    due.delete(id)
    due.add(id)
    // What it is about to say is of yesterday.
    if (running?.id === id) running.stop.abort()
    work ??= run()
  }
  const pause = () =>
    new Promise<void>((resolve) => {
      const stop = deps.clock.after(PAUSE_MS, resolve)
      stopPause = () => {
        stop()
        resolve()
      }
    })
  const run = async (): Promise<void> => {
    await pause()
    for (const id of due) {
      await deps.settled()
      if (state === 'closed') break
      const info = deps.plugins().find((one) => one.id === id)
      if (info && isBroken(info)) continue
      due.delete(id)
      if (info) await check(info)
      else standing.delete(id)
    }
    work = undefined
  }
  const check = async (info: PluginInfo): Promise<void> => {
    const stop = new AbortController()
    running = { id: info.id, stop }
    try {
      await deps.types.refresh(info)
      const errors = existsSync(join(info.path, 'tsconfig.json')) ? await compile(info, stop.signal) : []
      if (!stop.signal.aborted) tell(info.id, [...deps.types.untyped(info.path), ...errors])
    } catch (thrown) {
      const message = messageOf(thrown)
      if (stop.signal.aborted || warned.has(message)) return
      warned.add(message)
      deps.onWarning(info.id, `the types could not be checked: ${message}`)
    } finally {
      running = undefined
    }
  }
  const compile = async ({ path }: PluginInfo, signal: AbortSignal): Promise<readonly Diagnostic[]> => {
    const { installation } = deps
    const limit = AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)])
    const found = await typeCheck(path, { installation, signal: limit, isInBackground: true })
    return found.map((one) => ({ ...one, severity: 'warning' }))
  }
  const tell = (id: string, found: readonly Diagnostic[]) => {
    const now = found.slice(0, MAX_KEPT)
    const before = standing.get(id) ?? []
    standing.set(id, now)
    if (now.map(placeOf).join('\n') === before.map(placeOf).join('\n')) return
    const known = new Set(before.map(whatOf))
    const fresh = now.filter((one) => !known.has(whatOf(one)))
    for (const one of fresh.slice(0, MAX_TOLD)) deps.onFound(id, one)
    deps.onChanged(id, now)
  }
  /** An event that came twice for one save is one save. */
  const isNews = (path: string) => {
    const stat = lookAt(path)
    const now = stat ? `${stat.mtimeMs} ${stat.size} ${stat.ino}` : 'gone'
    if (seen.get(path) === now) return false
    seen.set(path, now)
    return true
  }

  return {
    begin() {
      if (state !== 'waiting') return
      state = 'begun'
      for (const { id } of deps.plugins()) ask(id)
    },
    touched(path) {
      if (state !== 'begun' || !SOURCES.has(extname(path)) || !isNews(path)) return
      for (const { id, path: folder } of deps.plugins()) {
        const isOfIt = isOrHolds(folder, path) || isOrHolds(path, folder)
        if (isOfIt || deps.inputs(id).includes(path)) ask(id)
      }
    },
    live(id) {
      if (due.has(id) || !standing.has(id)) ask(id)
    },
    async idle() {
      while (work) await work
    },
    close() {
      state = 'closed'
      stopPause?.()
      running?.stop.abort()
    },
  }
}

/** Its newest state was refused, and why is told already: the compiler would say the same once more. */
function isBroken({ diagnostics, enabled }: PluginInfo): boolean {
  const refused = diagnostics.some((one) => one.severity === 'error' && one.code !== 'AMB3004')
  return refused || !enabled
}

function whatOf({ file, code, message, hint = '' }: Diagnostic): string {
  return [file, code, message, hint].join('\n')
}

function placeOf(one: Diagnostic): string {
  return `${one.line}:${one.column} ${whatOf(one)}`
}
