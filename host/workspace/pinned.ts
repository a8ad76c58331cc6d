import type { Stats } from 'node:fs'
import { constants } from 'node:fs'
import { type FileHandle, lstat, open, readlink, realpath, stat } from 'node:fs/promises'
import type { PathRefusal } from '../../sdk/index.ts'
import { systemCode } from '../base/errors.ts'
import { isInside } from './inside.ts'
import { quotePath, refuse, refuseOutside, refuseSystemError } from './refusal.ts'

/** An open file or folder that was found to be inside the workspace after it was opened. Close the handle. */
export interface Pinned {
  readonly ok: true
  readonly handle: FileHandle
  readonly status: Stats
}

const FLAGS =
  constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0)

/**
 * Opens a confined real path and checks the open handle itself, so that nobody can swap the file for a link between
 * check and use. A FIFO or a device is refused without waiting on it. `asked` is the path for messages.
 */
export async function openPinned(
  root: string,
  path: string,
  want: { readonly kind: 'file' | 'directory'; readonly asked: string },
): Promise<Pinned | PathRefusal> {
  let handle: FileHandle | undefined
  try {
    // Opening a device can already do something, so what it is comes first; the handle is asked again below.
    const before = refuseKind(await lstat(path), want)
    if (before) return before
    handle = await open(path, FLAGS)
    const status = await handle.stat()
    const refusal =
      refuseKind(status, want) ?? (await refusePlace(root, path, { handle, status, asked: want.asked }))
    if (!refusal) return { ok: true, handle, status }
    await handle.close()
    return refusal
  } catch (thrown) {
    await handle?.close()
    return systemCode(thrown) === 'ELOOP' ? refuseChanged(want.asked) : refuseSystemError(want.asked, thrown)
  }
}

function refuseKind(
  status: Stats,
  want: { readonly kind: 'file' | 'directory'; readonly asked: string },
): PathRefusal | undefined {
  const shown = quotePath(want.asked)
  if (want.kind === 'file' ? status.isFile() : status.isDirectory()) return undefined
  if (status.isDirectory()) return refuse('directory', `${shown} is a folder, not a file. Name a file in it.`)
  if (status.isFile()) return refuse('not-a-folder', `${shown} is a file, not a folder. Name a folder.`)
  if (status.isSymbolicLink()) return refuseChanged(want.asked)
  return refuse(
    'special',
    `${shown} is ${specialName(status)}, not a regular file. Only regular files are read.`,
  )
}

function specialName(status: Stats): string {
  if (status.isFIFO()) return 'a named pipe (FIFO)'
  if (status.isSocket()) return 'a socket'
  return status.isCharacterDevice() || status.isBlockDevice() ? 'a device' : 'something special'
}

async function refusePlace(
  root: string,
  path: string,
  opened: { readonly handle: FileHandle; readonly status: Stats; readonly asked: string },
): Promise<PathRefusal | undefined> {
  const real = await realPathOf(opened.handle)
  if (real !== undefined) return isInside(root, real) ? undefined : refuseOutside(root, opened.asked, real)
  const [now, status] = await Promise.all([realpath(path), stat(path)])
  const same = now === path && status.dev === opened.status.dev && status.ino === opened.status.ino
  return same ? undefined : refuseChanged(opened.asked)
}

/** Linux alone says where an open handle really is; elsewhere the path is looked at once more. */
async function realPathOf(handle: FileHandle): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined
  try {
    return await readlink(`/proc/self/fd/${handle.fd}`)
  } catch {
    return undefined
  }
}

function refuseChanged(asked: string): PathRefusal {
  return refuse('changed', `${quotePath(asked)} became something else while it was opened. Try again.`)
}
