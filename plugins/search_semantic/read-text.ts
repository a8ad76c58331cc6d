import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs'

const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** What a file says, and what it was like when it was read. */
export interface FileText {
  /** `''` for what is binary, too large, or one endless line. */
  readonly text: string
  readonly stats: Stats
}

/** Reads a regular file; undefined when it is gone, no file, or not to be read. */
export function readText(path: string, maxBytes: number): FileText | undefined {
  try {
    const handle = openSync(path, FLAGS)
    try {
      const stats = fstatSync(handle)
      if (!stats.isFile()) return undefined
      if (stats.size > maxBytes) return { text: '', stats }
      const bytes = readFileSync(handle)
      return { text: isText(bytes) ? bytes.toString('utf8') : '', stats }
    } finally {
      closeSync(handle)
    }
  } catch {
    return undefined
  }
}

/** Bytes of a line above which a file was made by a program for a program. */
const LONG_LINE = 20_000

function isText(bytes: Buffer): boolean {
  if (bytes.subarray(0, 8192).includes(0)) return false
  for (let at = 0; at < bytes.length; ) {
    const feed = bytes.indexOf(10, at)
    const end = feed === -1 ? bytes.length : feed
    if (end - at > LONG_LINE) return false
    at = end + 1
  }
  return true
}
