import { AmberError, systemCode } from './errors.ts'

/** What the system refused, in words, and what to do. Codes: Node's errno names (`man 3 errno`). */
const REMEDIES: Readonly<Record<string, readonly [what: string, remedy: string]>> = {
  EACCES: ['permission denied', 'Check who owns it and what its permissions are.'],
  EPERM: ['the operation is not permitted', 'Check who owns it and what its permissions are.'],
  EROFS: ['the file system is read-only', 'Name a place that can be written.'],
  ENOENT: ['there is no such file or folder', 'Make it, or name one that is there.'],
  ENOTDIR: ['a part of the path is a file, not a folder', 'Move that file away, or name another place.'],
  EISDIR: ['it is a folder, not a file', 'Move that folder away, or name another place.'],
  EEXIST: ['something is there already', 'Move it away, or name another place.'],
  ENOTEMPTY: ['the folder is not empty', 'Empty it, or name another one.'],
  ELOOP: ['its links lead round in a circle', 'Remove the link that leads back to itself.'],
  ENAMETOOLONG: ['the name is too long', 'Name a shorter one.'],
  ENOSPC: ['no space is left on the device', 'Make room on it, or name another place.'],
  EDQUOT: ['the disk quota is used up', 'Make room, or name another place.'],
  EMFILE: ['too many files are open', 'Close some programs, or allow more: ulimit -n 4096'],
  ENFILE: ['too many files are open on this machine', 'Close some programs.'],
  EIO: ['the device failed', 'Look at the disk that it is on.'],
  EBUSY: ['it is in use', 'End the program that uses it.'],
  ETXTBSY: ['it is in use', 'End the program that uses it.'],
  EXDEV: ['it would have to move to another file system', 'Name a place on the same one.'],
  ENOMEM: ['no memory is left', 'Close some programs.'],
}

/** What is amber's own place, or the user's: both can be somewhere else. */
const ELSEWHERE = 'AMBER_HOME names another place for what amber keeps.'

/**
 * A refusal of the operating system as an operational failure: one line that says what, one that says what to do.
 * Undefined for anything that is no system error, which then is a bug.
 */
export function fromSystem(thrown: unknown): AmberError | undefined {
  if (thrown instanceof AmberError) return thrown
  if (!(thrown instanceof Error) || !('syscall' in thrown) || typeof thrown.syscall !== 'string')
    return undefined
  const code = systemCode(thrown)
  if (code === undefined) return undefined
  const path = 'path' in thrown && typeof thrown.path === 'string' ? thrown.path : undefined
  const [what, remedy] = REMEDIES[code] ?? ['the system refused', `Look up what ${code} means here.`]
  const where = path === undefined ? thrown.syscall : `${thrown.syscall} ${path}`
  return new AmberError('failed', `${where}: ${what} (${code}).`, `${remedy} ${ELSEWHERE}`, thrown)
}
