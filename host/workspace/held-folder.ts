import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, readlink, realpath } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { PathRefusal } from '../../sdk/index.ts'
import { systemCode } from '../base/errors.ts'
import { isInside } from './inside.ts'
import { quotePath, refuse, refuseOutside } from './refusal.ts'

/** A folder of the workspace that is held open, so that what is done in it cannot be led elsewhere. Close it. */
export interface HeldFolder {
  readonly ok: true
  /** A path to a name in this very folder, wherever its own path may lead by now. */
  at(name: string): string
  /** The refusal when the folder was moved out of the workspace meanwhile. */
  refuseIfMoved(): Promise<PathRefusal | undefined>
  close(): Promise<void>
}

const FLAGS = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0)
const isLinux = process.platform === 'linux'

/**
 * Opens a folder, given by its real path below `root`, and makes what is missing of it, name by name and never through
 * a link. `asked` is the path for messages. Rejects with the system's error.
 */
export async function holdFolder(
  root: string,
  folder: string,
  asked: string,
): Promise<HeldFolder | PathRefusal> {
  const names = relative(root, folder).split(sep).filter(Boolean)
  let place = root
  let handle = await open(root, FLAGS)
  try {
    for (const name of names) {
      const next = await enter(isLinux ? `/proc/self/fd/${handle.fd}` : place, name)
      await handle.close()
      handle = next
      place = join(place, name)
    }
  } catch (thrown) {
    await handle.close()
    const code = systemCode(thrown)
    if (code === 'ELOOP' || code === 'ENOTDIR') return refuseMoved(asked)
    throw thrown
  }
  const held = hold(handle, { root, place, asked })
  const moved = await held.refuseIfMoved()
  if (moved) await held.close()
  return moved ?? held
}

async function enter(folder: string, name: string): Promise<FileHandle> {
  const path = join(folder, name)
  try {
    return await open(path, FLAGS)
  } catch (thrown) {
    if (systemCode(thrown) !== 'ENOENT') throw thrown
  }
  await mkdir(path).catch((thrown: unknown) => {
    if (systemCode(thrown) !== 'EEXIST') throw thrown
  })
  return open(path, FLAGS)
}

function hold(
  handle: FileHandle,
  { root, place, asked }: { readonly root: string; readonly place: string; readonly asked: string },
): HeldFolder {
  return {
    ok: true,
    at: (name) => (isLinux ? `/proc/self/fd/${handle.fd}/${name}` : join(place, name)),
    async refuseIfMoved() {
      const real = isLinux ? await readlink(`/proc/self/fd/${handle.fd}`) : await realpath(place)
      if (isInside(root, real) && (isLinux || real === place)) return undefined
      return isInside(root, real) ? refuseMoved(asked) : refuseOutside(root, asked, real)
    },
    close: () => handle.close(),
  }
}

function refuseMoved(asked: string): PathRefusal {
  return refuse(
    'changed',
    `A folder of ${quotePath(asked)} became something else meanwhile. Look again, then write.`,
  )
}
