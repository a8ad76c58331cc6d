import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../host/base/clock.ts'
import { messageOf } from '../host/base/errors.ts'
import { AMBER_VERSION } from '../host/base/version.ts'
import { isTyped, linkAmber, writeTypes } from '../host/plugin/author-files.ts'
import type { Diagnostic } from '../manifests/diagnostic.ts'
import { readManifest } from '../manifests/read-manifest.ts'

/** What keeping an author's files up to date needs. */
export interface AuthorTypesDeps {
  readonly clock: Clock
  /** Where the running amber is installed: what the link leads to. */
  readonly installation: string
  readonly onWarning: (plugin: string, message: string) => void
}

/** Keeps `plugin.types.ts` and the link to amber in step with manifests (MAN-5), beside the swaps and never before them. */
export interface AuthorTypes {
  /** Brings one plugin's files up to date if its manifest is another than the last time; gives the milliseconds. */
  refresh(plugin: { readonly id: string; readonly path: string }): Promise<number>
  /** What the newest types of a folder leave untyped (MAN-4). */
  untyped(path: string): readonly Diagnostic[]
  /** Loads the generator. */
  warm(): Promise<void>
  /** Whether the generator is loaded, so that a refresh takes milliseconds. */
  isWarm(): boolean
}

/** Makes one; nothing is loaded yet. */
export function createAuthorTypes(deps: AuthorTypesDeps): AuthorTypes {
  const done = new Map<string, { readonly text: string; readonly untyped: readonly Diagnostic[] }>()
  let warm = false
  let queue: Promise<unknown> = Promise.resolve()

  const refresh = async ({ id, path }: { readonly id: string; readonly path: string }): Promise<number> => {
    const started = deps.clock.monotonic()
    const file = join(path, 'plugin.json')
    try {
      const text = readFileSync(file, 'utf8')
      if (done.get(path)?.text === text) return 0
      const { manifest } = await readManifest(text, file, { amberVersion: AMBER_VERSION })
      if (!manifest) return 0
      done.set(path, { text, untyped: [] })
      if (!isTyped(path, manifest)) return 0
      const { diagnostics } = await writeTypes(path, manifest)
      done.set(path, { text, untyped: diagnostics })
      await linkAmber(path, deps.installation)
    } catch (thrown) {
      // A folder that goes, for good or for a moment, has no types to write.
      if (!existsSync(file)) return 0
      deps.onWarning(id, `the types of ${file} could not be written: ${messageOf(thrown)}`)
    }
    return deps.clock.monotonic() - started
  }

  return {
    refresh(plugin) {
      const result = queue.then(() => refresh(plugin))
      queue = result
      return result
    },
    untyped: (path) => done.get(path)?.untyped ?? [],
    async warm() {
      await import('json-schema-to-typescript')
      warm = true
    },
    isWarm: () => warm,
  }
}
