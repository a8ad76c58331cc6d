import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { endianness } from 'node:os'
import { dirname, join } from 'node:path'
import { termsOf } from './tokens.ts'
import type { IndexedFile } from './workspace-index.ts'

/** Another number: another way to cut, split or hash; what was kept before is made anew. */
const VERSION = `amber semantic index 1 ${endianness()}`

/** Indexes of so many workspaces are kept; the one that was not used for longest goes. */
const KEPT = 12

/** One file in the head of an index file. */
type Row = readonly [
  path: string,
  size: number,
  mtimeMs: number,
  ctimeMs: number,
  readAt: number,
  hash: string,
  chunks: number,
  terms: number,
]

/** Reads a kept index; empty when there is none, or none of this version and this root. Never rejects. */
export async function readIndexFile(file: string, root: string): Promise<readonly IndexedFile[]> {
  try {
    const bytes = await readFile(file)
    const length = bytes.readUInt32LE(0)
    const head: unknown = JSON.parse(bytes.toString('utf8', 4, 4 + length))
    if (!isHead(head) || head.version !== VERSION || head.root !== root) return []
    return unpack(head.rows, bytes.subarray(4 + length))
  } catch {
    return []
  }
}

/** Keeps an index, in one step. A failure to write is no fault: it is only a cache. */
export async function writeIndexFile(
  file: string,
  root: string,
  files: readonly IndexedFile[],
): Promise<void> {
  const head = Buffer.from(JSON.stringify({ version: VERSION, root, rows: files.map(toRow) }))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(head.length)
  const body = files.flatMap(({ chunks }) => [
    bytesOf(chunks.lines),
    bytesOf(chunks.ends),
    bytesOf(chunks.lengths),
    bytesOf(chunks.terms),
    chunks.counts,
  ])
  const temporary = `${file}.${process.pid}`
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await writeFile(temporary, Buffer.concat([length, head, ...body]), { mode: 0o600 })
    await rename(temporary, file)
    await prune(dirname(file))
  } catch {
    await rm(temporary, { force: true }).catch(() => undefined)
  }
}

function toRow(file: IndexedFile): Row {
  const { path, size, mtimeMs, ctimeMs, readAt, hash, chunks } = file
  return [path, size, mtimeMs, ctimeMs, readAt, hash, chunks.ends.length, chunks.terms.length]
}

function unpack(rows: readonly Row[], body: Buffer): readonly IndexedFile[] {
  let at = 0
  const take = (length: number) => {
    const piece = body.subarray(at, at + length)
    if (piece.length !== length) throw new RangeError('the index file is cut')
    at += length
    return piece
  }
  const numbers = (count: number) => {
    const copy = new Uint32Array(count)
    Buffer.from(copy.buffer).set(take(count * 4))
    return copy
  }
  return rows.map(([path, size, mtimeMs, ctimeMs, readAt, hash, chunks, terms]) => ({
    path,
    size,
    mtimeMs,
    ctimeMs,
    readAt,
    hash,
    pathTerms: Uint32Array.from(termsOf(path)),
    chunks: {
      lines: numbers(chunks),
      ends: numbers(chunks),
      lengths: numbers(chunks),
      terms: numbers(terms),
      counts: Uint8Array.from(take(terms)),
    },
  }))
}

function bytesOf(array: Uint32Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
}

async function prune(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.index'))
  if (names.length <= KEPT) return
  const dated = await Promise.all(
    names.map(async (name) => ({ name, at: (await stat(join(folder, name))).mtimeMs })),
  )
  const old = dated.sort((a, b) => b.at - a.at).slice(KEPT)
  await Promise.all(old.map(({ name }) => rm(join(folder, name), { force: true })))
}

function isHead(
  value: unknown,
): value is { readonly version: string; readonly root: string; readonly rows: readonly Row[] } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'version' in value &&
    'root' in value &&
    'rows' in value &&
    Array.isArray(value.rows) &&
    value.rows.every(isRow)
  )
}

function isRow(row: unknown): row is Row {
  if (!Array.isArray(row) || row.length !== 8) return false
  const [path, size, mtimeMs, ctimeMs, readAt, hash, chunks, terms] = row
  return (
    typeof path === 'string' &&
    typeof hash === 'string' &&
    [size, mtimeMs, ctimeMs, readAt].every((one) => typeof one === 'number') &&
    [chunks, terms].every((one) => Number.isInteger(one) && one >= 0)
  )
}
