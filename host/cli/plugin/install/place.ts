import { randomBytes } from 'node:crypto'
import { lstat, mkdir, mkdtemp, rename, rm, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../../base/clock.ts'
import { AmberError, messageOf } from '../../../base/errors.ts'
import { withFileLock } from '../../../base/file-lock.ts'

/** Where the user's plugins are installed. */
export interface PluginStore {
  /** Where a plugin of this id lies, or would. */
  folderOf(id: string): string
  /** `link`: the user's own folder, linked to. Undefined: there is none. */
  kindOf(id: string): Promise<'folder' | 'link' | undefined>
  /** Runs `use` with a new folder on the same disk, which is gone afterwards. */
  stage<Value>(use: (folder: string) => Promise<Value>): Promise<Value>
  /** Puts a staged folder in its place in one step; what was there before stays until then, and when this fails. */
  put(id: string, staged: string): Promise<void>
  /** Takes a plugin away; of a link only the link. */
  take(id: string): Promise<void>
}

/** The store below `<config>/plugins`. Names with a dot are nobody's plugins: discovery passes them by. */
export function createPluginStore(config: string, clock: Clock): PluginStore {
  const parent = join(config, 'plugins')
  const folderOf = (id: string) => join(parent, id)
  const aside = (id: string) => join(parent, `.old-${id}-${randomBytes(4).toString('hex')}`)
  const locked = <Value>(work: () => Promise<Value>) => withFileLock(join(parent, '.install'), clock, work)
  return {
    folderOf,
    async kindOf(id) {
      const found = await lstat(folderOf(id)).catch(() => undefined)
      if (found === undefined) return undefined
      return found.isSymbolicLink() ? 'link' : 'folder'
    },
    async stage(use) {
      await mkdir(parent, { recursive: true, mode: 0o700 }).catch((thrown: unknown) => {
        throw new AmberError(
          'failed',
          `${parent} cannot be made: ${messageOf(thrown)}`,
          'Check its permissions.',
        )
      })
      const folder = await mkdtemp(join(parent, '.incoming-'))
      try {
        return await use(folder)
      } finally {
        await rm(folder, { recursive: true, force: true, maxRetries: 3 })
      }
    },
    put: (id, staged) =>
      locked(async () => {
        const old = aside(id)
        const had = await rename(folderOf(id), old).then(
          () => true,
          () => false,
        )
        try {
          await rename(staged, folderOf(id))
        } catch (thrown) {
          if (had) await rename(old, folderOf(id))
          throw thrown
        }
        await rm(old, { recursive: true, force: true, maxRetries: 3 })
      }),
    take: (id) =>
      locked(async () => {
        if ((await lstat(folderOf(id))).isSymbolicLink()) return unlink(folderOf(id))
        const old = aside(id)
        await rename(folderOf(id), old)
        await rm(old, { recursive: true, force: true, maxRetries: 3 })
      }),
  }
}
