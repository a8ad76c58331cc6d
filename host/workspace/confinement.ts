import { lstat, realpath } from 'node:fs/promises'
import { dirname, isAbsolute, join, parse, sep } from 'node:path'
import type { PathRefusal } from '../../sdk/index.ts'
import { systemCode } from '../base/errors.ts'
import { isInside } from './inside.ts'
import { quotePath, refuse, refuseOutside, refuseSystemError } from './refusal.ts'
import { findLookalike } from './similar-names.ts'

/** Where a path really leads, or the rule that refused it (contract SAFE-1). */
export type Confined =
  | { readonly ok: true; readonly path: string; readonly kind: 'file' | 'directory' | 'missing' | 'other' }
  | PathRefusal

/** Linux' PATH_MAX and NAME_MAX, in bytes. */
const MAX_PATH_BYTES = 4096
const MAX_NAME_BYTES = 255

/** Files of these folders are the kernel's and tell the process's own secrets (`/proc/self/environ`). */
const KERNEL_FOLDERS = ['/proc', '/sys', '/dev']

/**
 * Resolves `path` (relative to `root`, or absolute) as the kernel would, every link followed, and says whether it is
 * at or below `root`, which is itself a real path. A file that does not exist yet is judged by its deepest existing
 * folder. Never throws, never opens anything, and tells nothing about what exists outside.
 */
export async function confine(root: string, path: string): Promise<Confined> {
  const malformed = checkForm(path)
  if (malformed) return malformed
  const walked = await walk(root, path)
  if (!walked.ok) return walked
  return judge(root, path, walked)
}

function checkForm(path: unknown): PathRefusal | undefined {
  if (typeof path !== 'string' || path === '') {
    return refuse('malformed', 'The path is empty. Give a path inside the workspace; "." is its root.')
  }
  if (path.includes('\0')) {
    return refuse(
      'malformed',
      `${quotePath(path)} holds a NUL character, which no file name can. Leave it out.`,
    )
  }
  const names = path.split(sep)
  if (
    Buffer.byteLength(path) < MAX_PATH_BYTES &&
    names.every((name) => Buffer.byteLength(name) <= MAX_NAME_BYTES)
  ) {
    return undefined
  }
  return refuse(
    'malformed',
    `${quotePath(path)} is too long: a path has at most ${MAX_PATH_BYTES} bytes, and a name in it ${MAX_NAME_BYTES}. Use a shorter path.`,
  )
}

/** How far the path exists, and what of it does not. */
interface Walked {
  readonly ok: true
  readonly existing: string
  readonly rest: readonly string[]
}

async function walk(root: string, path: string): Promise<Walked | PathRefusal> {
  let place = isAbsolute(path) ? parse(path).root : root
  const names = path.slice(isAbsolute(path) ? place.length : 0).split(sep)
  for (const [index, name] of names.entries()) {
    if (name === '' || name === '.') continue
    if (name === '..') {
      place = dirname(place)
      continue
    }
    const entered = await enter(root, place, name)
    if (entered === undefined) return missingFrom(root, path, { place, rest: names.slice(index) })
    // What lies outside is none of the caller's business: neither that it exists nor that it does not.
    if (typeof entered !== 'string') return isInside(root, place) ? entered : refuseOutside(root, path)
    place = entered
  }
  return { ok: true, existing: place, rest: [] }
}

/** The real path of one name in a real folder; undefined when it does not exist. */
async function enter(root: string, place: string, name: string): Promise<string | PathRefusal | undefined> {
  const next = join(place, name)
  try {
    return (await lstat(next)).isSymbolicLink() ? await followLink(next) : next
  } catch (thrown) {
    if (systemCode(thrown) !== 'ENOENT') return refuseSystemError(next, thrown)
  }
  const lookalike = isInside(root, place) ? await findLookalike(place, name) : undefined
  return lookalike === undefined ? undefined : followLink(join(place, lookalike))
}

async function followLink(link: string): Promise<string | PathRefusal> {
  try {
    return await realpath(link)
  } catch (thrown) {
    if (systemCode(thrown) !== 'ENOENT') return refuseSystemError(link, thrown)
    return refuse(
      'dangling-link',
      `${quotePath(link)} is a link whose target does not exist. Use a path that is not such a link, or mend it.`,
    )
  }
}

function missingFrom(
  root: string,
  path: string,
  missing: { readonly place: string; readonly rest: readonly string[] },
): Walked | PathRefusal {
  const rest = missing.rest.filter((name) => name !== '' && name !== '.')
  if (!isInside(root, missing.place)) return refuseOutside(root, path, join(missing.place, ...rest))
  if (!rest.includes('..')) return { ok: true, existing: missing.place, rest }
  return refuse(
    'missing',
    `${quotePath(path)} goes up with ".." from a folder that does not exist. Write the path without "..".`,
  )
}

/** The last word: the real path of what exists, taken anew, since a folder may have become a link meanwhile. */
async function judge(root: string, path: string, walked: Walked): Promise<Confined> {
  let real: string
  try {
    real = await realpath(walked.existing)
  } catch (thrown) {
    return isInside(root, walked.existing) ? refuseSystemError(path, thrown) : refuseOutside(root, path)
  }
  if (!isInside(root, real)) return refuseOutside(root, path, real)
  if (isKernels(root, real)) {
    return refuse(
      'outside',
      `${quotePath(path)} belongs to the kernel (${KERNEL_FOLDERS.join(', ')}), not to the workspace. Use a path inside it.`,
    )
  }
  return walked.rest.length > 0
    ? { ok: true, path: join(real, ...walked.rest), kind: 'missing' }
    : kindOf(path, real)
}

function isKernels(root: string, real: string): boolean {
  return KERNEL_FOLDERS.some((folder) => isInside(folder, real) && !isInside(folder, root))
}

async function kindOf(path: string, real: string): Promise<Confined> {
  try {
    const status = await lstat(real)
    const kind = status.isFile() ? 'file' : status.isDirectory() ? 'directory' : 'other'
    return { ok: true, path: real, kind }
  } catch (thrown) {
    return refuseSystemError(path, thrown)
  }
}
