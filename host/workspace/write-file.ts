import { randomBytes } from 'node:crypto'
import type { Stats } from 'node:fs'
import { constants } from 'node:fs'
import { access, type FileHandle, lstat, open, rename, rm } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { FileWritten, PathRefusal } from '../../sdk/index.ts'
import { messageOf, systemCode } from '../base/errors.ts'
import { confine } from './confinement.ts'
import { type HeldFolder, holdFolder } from './held-folder.ts'
import { relativeTo } from './inside.ts'
import { quotePath, refuse } from './refusal.ts'

/** Hears of writes, to be able to take them back. */
export interface WriteKeeper {
  /** A file is about to be replaced, or made (`before` undefined). A rejection refuses the write. */
  keep(file: {
    readonly path: string
    readonly before: (() => Promise<Uint8Array>) | undefined
    readonly mode: number
  }): Promise<void>
  /** It has been written. */
  wrote(path: string, bytes: Uint8Array): Promise<void>
}

/** What a write is done with. */
export interface WriteRequest {
  readonly path: string
  readonly bytes: Uint8Array
  readonly expect: string | undefined
  readonly keeper: WriteKeeper | undefined
}

/** The mode of a new file, before the umask. */
const NEW_MODE = 0o666

/** The name of a file's present content; it changes with every write of it. */
export function versionOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return `${dev}:${ino}:${size}:${mtimeMs}:${ctimeMs}`
}

/**
 * Creates or replaces a file of the workspace in one step (SAFE-1): the folder is held by its handle while a temporary
 * file beside the old one is written and renamed over it, so that nobody can move the write elsewhere.
 */
export async function writeFile(root: string, request: WriteRequest): Promise<FileWritten> {
  const found = await confine(root, request.path)
  if (!found.ok) return found
  if (found.kind === 'directory')
    return refuse('directory', `${quotePath(request.path)} is a folder, not a file. Name a file in it.`)
  if (found.kind === 'other')
    return refuse('special', `${quotePath(request.path)} is no regular file. Only regular files are written.`)
  let folder: HeldFolder | undefined
  try {
    const held = await holdFolder(root, dirname(found.path), request.path)
    if (!held.ok) return held
    folder = held
    return await replace(root, found.path, { ...request, folder })
  } catch (thrown) {
    return refuseWrite(request.path, thrown)
  } finally {
    await folder?.close()
  }
}

type Replacing = WriteRequest & { readonly folder: HeldFolder }

async function replace(root: string, path: string, request: Replacing): Promise<FileWritten> {
  const { folder, bytes } = request
  const target = folder.at(basename(path))
  const old = await statusOf(target)
  const refusal = refuseOld(request, old) ?? (await refuseReadOnly(request, target, old))
  if (refusal) return refusal
  await request.keeper?.keep({
    path,
    before: old === undefined ? undefined : () => readAll(target),
    mode: old === undefined ? NEW_MODE : old.mode & 0o7777,
  })
  const temporary = folder.at(`.${basename(path).slice(0, 60)}.${randomBytes(6).toString('hex')}.amber-tmp`)
  try {
    await writeTemporary(temporary, bytes, old)
    const moved = await folder.refuseIfMoved()
    const again = moved ?? refuseOld(request, await statusOf(target))
    if (again) return again
    await rename(temporary, target)
  } finally {
    await rm(temporary, { force: true })
  }
  await request.keeper?.wrote(path, bytes)
  return {
    ok: true,
    path,
    relative: relativeTo(root, path),
    created: old === undefined,
    otherLinks: Math.max(0, (old?.nlink ?? 1) - 1),
    version: versionOf(await lstat(target)),
  }
}

async function statusOf(target: string): Promise<Stats | undefined> {
  try {
    return await lstat(target)
  } catch (thrown) {
    if (systemCode(thrown) === 'ENOENT') return undefined
    throw thrown
  }
}

function refuseOld(
  { path, expect }: Pick<WriteRequest, 'path' | 'expect'>,
  old: Stats | undefined,
): PathRefusal | undefined {
  if (old !== undefined && !old.isFile())
    return refuse('changed', `${quotePath(path)} became something else meanwhile. Look again, then write.`)
  if (expect === undefined || expect === (old === undefined ? 'missing' : versionOf(old))) return undefined
  const what =
    old === undefined ? 'is gone' : expect === 'missing' ? 'exists by now' : 'has changed since it was read'
  return refuse('changed', `${quotePath(path)} ${what}. Read it again, then repeat the change.`)
}

/** A rename would get around a file that may not be written; the user set that mode on purpose. */
async function refuseReadOnly(
  { path }: Pick<WriteRequest, 'path'>,
  target: string,
  old: Stats | undefined,
): Promise<PathRefusal | undefined> {
  if (old === undefined) return undefined
  try {
    await access(target, constants.W_OK)
    return undefined
  } catch (thrown) {
    return refuseWrite(path, thrown)
  }
}

async function readAll(target: string): Promise<Uint8Array> {
  const handle = await open(target, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
  try {
    return await handle.readFile()
  } finally {
    await handle.close()
  }
}

async function writeTemporary(temporary: string, bytes: Uint8Array, old: Stats | undefined): Promise<void> {
  const file = await open(temporary, 'wx', old === undefined ? NEW_MODE : 0o600)
  try {
    await file.writeFile(bytes)
    if (old !== undefined) await keepOwnerAndMode(file, old)
    await file.datasync()
  } finally {
    await file.close()
  }
}

async function keepOwnerAndMode(file: FileHandle, old: Stats): Promise<void> {
  const now = await file.stat()
  if (now.uid !== old.uid || now.gid !== old.gid) {
    // Only root may give a file away; without that right the file becomes the user's own, as with any editor.
    await file.chown(old.uid, old.gid).catch(() => undefined)
  }
  await file.chmod(old.mode & 0o7777)
}

/** The refusal that a failed write amounts to. */
function refuseWrite(path: string, thrown: unknown): PathRefusal {
  const shown = quotePath(path)
  switch (systemCode(thrown)) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return refuse(
        'unwritable',
        `${shown} may not be written: the system denies it. Mend its mode or its folder's, or leave it.`,
      )
    case 'ENOSPC':
    case 'EDQUOT':
      return refuse('unwritable', `${shown} was not written: the disk is full. The old content is untouched.`)
    case 'ENAMETOOLONG':
      return refuse('malformed', `${shown} has a name that is longer than the file system takes.`)
    default:
      return refuse(
        'unwritable',
        `${shown} was not written: ${messageOf(thrown)}. The old content is untouched.`,
      )
  }
}
