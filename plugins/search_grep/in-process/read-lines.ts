import { constants } from 'node:fs'
import { open } from 'node:fs/promises'

/** A file's lines, or why it is not searched. */
export type FileLines =
  | { readonly kind: 'lines'; readonly lines: readonly string[] }
  | { readonly kind: 'binary' | 'large' | 'unreadable' }

const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** Reads a regular file of at most `maxBytes`; a link is not followed, a NUL makes it binary. */
export async function readLines(path: string, maxBytes: number): Promise<FileLines> {
  try {
    const handle = await open(path, FLAGS)
    try {
      const status = await handle.stat()
      if (!status.isFile()) return { kind: 'unreadable' }
      if (status.size > maxBytes) return { kind: 'large' }
      return split(await handle.readFile())
    } finally {
      await handle.close()
    }
  } catch {
    return { kind: 'unreadable' }
  }
}

function split(bytes: Buffer): FileLines {
  const text = decode(bytes)
  if (text === undefined) return { kind: 'binary' }
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return { kind: 'lines', lines: lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line)) }
}

/** UTF-8, or UTF-16 where a byte order mark says so; undefined for what is binary. */
function decode(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  return bytes.includes(0) ? undefined : new TextDecoder('utf-8').decode(bytes)
}
