import { readFileSync, statSync } from 'node:fs'
import { messageOf, systemCode } from './errors.ts'

/** What came of reading a file that somebody may have replaced by anything. */
export type RegularFile =
  | { readonly kind: 'text'; readonly bytes: Buffer }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly why: string }

/** Reads a regular file at once; a pipe or a device in its place is refused, since reading one may never end. */
export function readRegularFile(path: string): RegularFile {
  try {
    const stat = statSync(path)
    if (stat.isDirectory()) return { kind: 'unreadable', why: 'a folder stands in its place' }
    if (!stat.isFile()) return { kind: 'unreadable', why: 'it is no regular file' }
    return { kind: 'text', bytes: readFileSync(path) }
  } catch (thrown) {
    return systemCode(thrown) === 'ENOENT'
      ? { kind: 'missing' }
      : { kind: 'unreadable', why: messageOf(thrown) }
  }
}
