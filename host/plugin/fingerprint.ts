import { lookAt } from '../base/look-at.ts'
import { readRegularFile } from '../base/read-regular-file.ts'
import { hashOf } from './content-hash.ts'

/** Content hashes by absolute path; a file that cannot be read has the hash `''`. */
export type Fingerprint = ReadonlyMap<string, string>

/** Hashes files as they are now. */
export function fingerprint(paths: Iterable<string>): Fingerprint {
  return new Map([...paths].map((path) => [path, hashFile(path)]))
}

/** Whether two fingerprints cover the same files with the same bytes. */
export function sameFingerprint(a: Fingerprint, b: Fingerprint): boolean {
  if (a.size !== b.size) return false
  for (const [path, hash] of a) if (b.get(path) !== hash) return false
  return true
}

/** Whether files are known, and still as they were. */
export function isUnchanged(files: Fingerprint): boolean {
  return files.size > 0 && sameFingerprint(fingerprint(files.keys()), files)
}

/** Whether a file was written so recently that a read begun at `since` (ms since 1970) may have seen older bytes. */
export function writtenSince(path: string, since: number): boolean {
  const modified = lookAt(path)?.mtimeMs ?? 0
  return modified >= since - CLOCK_TICK_MS
}

/** File times come from the kernel's tick, which lags the clock by up to this. */
const CLOCK_TICK_MS = 10

function hashFile(path: string): string {
  const file = readRegularFile(path)
  return file.kind === 'text' ? hashOf(file.bytes) : ''
}
