import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { type Chunks, chunksOf } from './chunks.ts'
import type { IndexLimits } from './limits.ts'
import { createPace } from './pace.ts'
import type { RankedFile } from './rank.ts'
import { type FileText, readText } from './read-text.ts'
import { termsOf } from './tokens.ts'
import { type FoundFile, walk } from './walk.ts'

/** A file as it was when it was read. */
export interface IndexedFile extends RankedFile {
  readonly size: number
  readonly mtimeMs: number
  readonly ctimeMs: number
  /** When it was read, ms since 1970. */
  readonly readAt: number
  /** Of its text. */
  readonly hash: string
}

/** What bringing an index up to date came to. */
export interface Refreshed {
  /** How many files were read, or are gone. */
  readonly changed: number
  readonly cancelled: boolean
  /** What the reader should know; empty when the index is whole. */
  readonly notes: readonly string[]
}

/** The index of one workspace: every file's terms, held against the disk before each answer (SEA-2). */
export interface WorkspaceIndex {
  readonly files: ReadonlyMap<string, IndexedFile>
  /** Looks at every file, and reads those that are new or changed. */
  refresh(signal: AbortSignal): Promise<Refreshed>
  /** A file's text as it is at this moment; a change is taken into the index and told. */
  look(file: IndexedFile): { readonly text: string; readonly changed: boolean } | undefined
}

/** A file that was written this shortly before it was read may change again without showing it. */
const CLOCK_TICK_MS = 50

/** Makes an index over what was kept of an earlier one. */
export function createWorkspaceIndex(
  root: string,
  kept: readonly IndexedFile[],
  limits: IndexLimits,
): WorkspaceIndex {
  let files: Map<string, IndexedFile> = new Map(kept.map((one) => [one.path, one]))

  const refresh = async (signal: AbortSignal): Promise<Refreshed> => {
    const deadline = performance.now() + limits.timeMs
    const pace = createPace()
    const next = new Map<string, IndexedFile>()
    let changed = 0
    let terms = 0
    let late = 0
    let full = 0
    for (const found of walk(root)) {
      if (pace.tired) await pace.rest()
      if (signal.aborted) return { changed, cancelled: true, notes: [] }
      const known = files.get(found.path)
      const isCurrent = known !== undefined && isUnchanged(known, found)
      if (next.size >= limits.files || terms > limits.terms) full += 1
      else if (!isCurrent && performance.now() > deadline) late += 1
      else {
        const file = isCurrent ? known : readFile(root, found.path, limits)
        if (!isCurrent) changed += 1
        if (file) next.set(found.path, file)
        terms += file?.chunks.terms.length ?? 0
      }
    }
    for (const path of files.keys()) if (!next.has(path)) changed += 1
    files = next
    const notes = [
      full > 0 ? `the index is full: ${full} files are left out` : '',
      late > 0 ? `the index is not complete yet: ${late} files are read with the next search` : '',
    ]
    return { changed, cancelled: false, notes: notes.filter(Boolean) }
  }

  return {
    get files() {
      return files
    },
    refresh,
    look(file) {
      const read = readText(join(root, file.path), limits.fileBytes)
      if (!read) {
        files.delete(file.path)
        return undefined
      }
      if (hashOf(read.text) === file.hash) return { text: read.text, changed: false }
      files.set(file.path, indexFile(file.path, read))
      return { text: read.text, changed: true }
    },
  }
}

function isUnchanged(known: IndexedFile, { stats }: FoundFile): boolean {
  return (
    known.size === stats.size &&
    known.mtimeMs === stats.mtimeMs &&
    known.ctimeMs === stats.ctimeMs &&
    known.ctimeMs < known.readAt - CLOCK_TICK_MS
  )
}

function readFile(root: string, path: string, limits: IndexLimits): IndexedFile | undefined {
  const read = readText(join(root, path), limits.fileBytes)
  return read && indexFile(path, read)
}

const NOTHING: Chunks = chunksOf('')

function indexFile(path: string, { text, stats }: FileText): IndexedFile {
  const { size, mtimeMs, ctimeMs } = stats
  const chunks = text === '' ? NOTHING : chunksOf(text)
  const pathTerms = Uint32Array.from(termsOf(path))
  return { path, size, mtimeMs, ctimeMs, readAt: Date.now(), hash: hashOf(text), chunks, pathTerms }
}

function hashOf(text: string): string {
  return createHash('sha1').update(text).digest('hex').slice(0, 16)
}
