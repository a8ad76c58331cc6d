import { createHash } from 'node:crypto'
import { isRecord } from '../../sdk/index.ts'

/** What a turn changed, and where its old content is kept. */
export interface Checkpoint {
  readonly id: string
  /** The session whose turn it was; null when none was written. */
  readonly session: string | null
  readonly files: readonly KeptFile[]
}

/** One file of a checkpoint. */
export interface KeptFile {
  /** Relative to the workspace's root. */
  readonly path: string
  /** The kept copy's name; undefined when the file was not there. */
  readonly before: string | undefined
  readonly mode: number
  /** The hash of what was written; undefined when the write did not come to its end. */
  readonly after: string | undefined
}

/** Reads a checkpoint; undefined when it is none. */
export function parseCheckpoint(value: unknown): Checkpoint | undefined {
  if (!isRecord(value) || typeof value.id !== 'string' || !Array.isArray(value.files)) return undefined
  const session = typeof value.session === 'string' ? value.session : null
  const files = value.files.flatMap((one: unknown) => readFile(one) ?? [])
  return files.length === value.files.length ? { id: value.id, session, files } : undefined
}

function readFile(value: unknown): KeptFile | undefined {
  if (!isRecord(value) || typeof value.path !== 'string' || typeof value.mode !== 'number') return undefined
  const { path, mode, before, after } = value
  if (before !== undefined && !(typeof before === 'string' && /^\d+\.before$/.test(before))) return undefined
  if (after !== undefined && typeof after !== 'string') return undefined
  return { path, mode, before, after }
}

/** The hash by which a file is known again. */
export function hashOfBytes(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url')
}
