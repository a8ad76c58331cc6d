import { opendir, realpath } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { FileRead, FolderEntry, FolderListing, PathRefusal, WorkspaceService } from '../../sdk/index.ts'
import { AmberError, messageOf } from '../base/errors.ts'
import { type Confined, confine } from './confinement.ts'
import { isInside, relativeTo } from './inside.ts'
import { openPinned } from './pinned.ts'
import { quotePath, refuse, refuseSystemError } from './refusal.ts'
import { nearNames } from './similar-names.ts'
import { versionOf, type WriteKeeper, writeFile } from './write-file.ts'

/** Bytes of one read when the caller says nothing. */
const DEFAULT_READ_BYTES = 16 * 1024 * 1024

/** Entries of one folder that are counted and sorted. */
const LIST_LIMIT = 10_000

/**
 * The workspace's paths, confined by their real path (contract SAFE-1). `workspace` is the folder as given; its real
 * path is taken at the first use and kept, so that a link swapped later moves nothing.
 */
export function createWorkspaceService(deps: {
  readonly workspace: string
  /** Hears of every write, to be able to take it back. */
  readonly keeper?: WriteKeeper
}): WorkspaceService {
  const root = createRoot(deps.workspace)
  return {
    root,
    async locate(path) {
      const at = await root()
      const found = await confine(at, path)
      return found.ok ? { ...found, relative: relativeTo(at, found.path) } : found
    },
    async read(path, options = {}) {
      const at = await root()
      return readFile(at, path, options)
    },
    async list(path, options = {}) {
      const at = await root()
      return listFolder(at, path, options.max ?? 200)
    },
    async write(path, bytes, options = {}) {
      const { expect } = options
      return writeFile(await root(), { path, bytes, expect, keeper: deps.keeper })
    },
  }
}

function createRoot(workspace: string): () => Promise<string> {
  let known: string | undefined
  return async () => {
    if (known !== undefined) return known
    try {
      known = await realpath(workspace)
      return known
    } catch (thrown) {
      throw new AmberError(
        'configuration',
        `The workspace ${quotePath(workspace)} cannot be used: ${messageOf(thrown)}`,
        'Start amber in an existing folder, or name one with --workspace DIR.',
        thrown,
      )
    }
  }
}

async function readFile(
  root: string,
  path: string,
  options: { readonly offset?: number; readonly maxBytes?: number },
): Promise<FileRead> {
  const found = await confine(root, path)
  if (!found.ok) return found
  if (found.kind === 'missing') return refuseMissing(root, path, found)
  const pinned = await openPinned(root, found.path, { kind: 'file', asked: path })
  if (!pinned.ok) return pinned
  try {
    const offset = atLeastZero(options.offset ?? 0)
    const length = Math.min(atLeastZero(options.maxBytes ?? DEFAULT_READ_BYTES), pinned.status.size - offset)
    const bytes = Buffer.allocUnsafeSlow(Math.max(0, length))
    let filled = 0
    while (filled < bytes.length) {
      const { bytesRead } = await pinned.handle.read(bytes, filled, bytes.length - filled, offset + filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    const { size, dev, ino } = pinned.status
    const place = { path: found.path, relative: relativeTo(root, found.path) }
    return {
      ok: true,
      ...place,
      bytes: bytes.subarray(0, filled),
      size,
      identity: `${dev}:${ino}`,
      version: versionOf(pinned.status),
    }
  } catch (thrown) {
    return refuseSystemError(path, thrown)
  } finally {
    await pinned.handle.close()
  }
}

function atLeastZero(value: number): number {
  return Number.isFinite(value) ? Math.max(0, Math.floor(value)) : 0
}

async function refuseMissing(
  root: string,
  path: string,
  found: Extract<Confined, { readonly ok: true }>,
): Promise<PathRefusal> {
  const folder = dirname(found.path)
  const near = isInside(root, folder) ? await nearNames(folder, basename(found.path)) : []
  const shown = near.map((name) => quotePath(relativeTo(root, `${folder}/${name}`)))
  const hint =
    near.length > 0 ? `Did you mean ${shown.join(' or ')}?` : 'List its folder, or search for the name.'
  return refuse('missing', `${quotePath(path)} does not exist. ${hint}`)
}

async function listFolder(root: string, path: string, max: number): Promise<FolderListing> {
  const found = await confine(root, path)
  if (!found.ok) return found
  if (found.kind === 'missing') return refuseMissing(root, path, found)
  const pinned = await openPinned(root, found.path, { kind: 'directory', asked: path })
  if (!pinned.ok) return pinned
  try {
    // By its handle, so that the folder that was checked is the one that is listed.
    const place = process.platform === 'linux' ? `/proc/self/fd/${pinned.handle.fd}` : found.path
    const { entries, complete } = await readEntries(place)
    return {
      ok: true,
      path: found.path,
      relative: relativeTo(root, found.path),
      entries: entries.slice(0, max),
      total: complete ? entries.length : undefined,
    }
  } catch (thrown) {
    return refuseSystemError(path, thrown)
  } finally {
    await pinned.handle.close()
  }
}

async function readEntries(
  place: string,
): Promise<{ readonly entries: readonly FolderEntry[]; readonly complete: boolean }> {
  const entries: FolderEntry[] = []
  for await (const entry of await opendir(place)) {
    if (entries.length >= LIST_LIMIT) return { entries: sorted(entries), complete: false }
    const kind = entry.isDirectory()
      ? 'directory'
      : entry.isSymbolicLink()
        ? 'link'
        : entry.isFile()
          ? 'file'
          : 'other'
    entries.push({ name: entry.name, kind })
  }
  return { entries: sorted(entries), complete: true }
}

function sorted(entries: readonly FolderEntry[]): readonly FolderEntry[] {
  return [...entries].sort((a, b) => (a.name < b.name ? -1 : 1))
}
