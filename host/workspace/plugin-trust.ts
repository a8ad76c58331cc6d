import { realpath } from 'node:fs/promises'
import { isAbsolute, relative, sep } from 'node:path'
import { changedPaths, hashFolder } from './folder-content.ts'
import { isInside } from './inside.ts'
import type { Trust } from './trust.ts'

/** Says whether a plugin that came with a workspace may be used (contract SAFE-4). */
export interface PluginTrust {
  /** Why the folder's present content may not be used, and what to do; undefined when it may. Never rejects. */
  refusal(folder: string): Promise<string | undefined>
  /** The same for code, by the very bytes that went into it: nothing can change between look and use. Never rejects. */
  refusalOfCode(folder: string, inputs: ReadonlyMap<string, string>): Promise<string | undefined>
}

const REMEDY = 'look at it, then: amber trust add'

/** Makes the judge for one workspace. */
export function createPluginTrust(deps: { readonly trust: Trust; readonly workspace: string }): PluginTrust {
  const { trust, workspace } = deps
  const known = async (folder: string) => {
    if (!(await trust.isTrusted(workspace))) return 'the workspace is not trusted'
    return (await trust.contentOf(workspace, folder)) ?? 'it came after the workspace was trusted'
  }
  return {
    refusal: guarded(async (folder) => {
      const content = await known(folder)
      if (typeof content === 'string') return `${content}: ${REMEDY}`
      const changed = changedPaths(content, await hashFolder(folder))
      return changed.length === 0 ? undefined : changedSince(changed)
    }),
    refusalOfCode: guarded(async (folder, inputs) => {
      const content = await known(folder)
      if (typeof content === 'string') return `${content}: ${REMEDY}`
      const changed: string[] = []
      for (const [path, hash] of inputs) {
        const real = await realpath(path).catch(() => path)
        if (!isInside(folder, real)) {
          return `its code imports ${path}, and trust covers nothing outside its folder: copy that file into it`
        }
        const name = relative(folder, isAbsolute(path) ? real : path)
          .split(sep)
          .join('/')
        if (content[name] !== hash) changed.push(name)
      }
      return changed.length === 0 ? undefined : changedSince(changed)
    }),
  }
}

function changedSince(changed: readonly string[]): string {
  const shown = changed.slice(0, 3).join(', ')
  const more = changed.length > 3 ? ` and ${changed.length - 3} more` : ''
  return `it has changed since it was trusted (${shown}${more}): ${REMEDY}`
}

/** What cannot be judged is not trusted. */
function guarded<Arguments extends readonly unknown[]>(
  judge: (...args: Arguments) => Promise<string | undefined>,
): (...args: Arguments) => Promise<string | undefined> {
  return (...args) =>
    judge(...args).catch(
      (thrown: unknown) => `whether it is trusted could not be found out: ${String(thrown)}`,
    )
}
