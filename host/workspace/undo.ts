import { chmod, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { WorkspaceService } from '../../sdk/index.ts'
import { AmberError, messageOf } from '../base/errors.ts'
import { type Checkpoint, hashOfBytes, type KeptFile } from './checkpoint.ts'
import type { Checkpoints } from './checkpoints.ts'
import { unifiedDiff } from './unified-diff.ts'

/** What taking a turn's files back would do. */
export interface UndoPlan {
  readonly checkpoint: Checkpoint
  /** What would change, as a unified diff, a file after the other. */
  readonly diff: string
  readonly files: readonly string[]
  /** Files that somebody changed since: then nothing is taken back. */
  readonly changed: readonly string[]
}

/** Takes the file changes of a turn back. */
export interface Undo {
  /** What would happen. Rejects when a kept copy is gone. */
  plan(checkpoint: Checkpoint): Promise<UndoPlan>
  /** Does it. Rejects with an AmberError when a file has changed since, and then leaves every file as it is. */
  apply(plan: UndoPlan): Promise<void>
}

/** Reading more than this of a file for a diff helps nobody. Bytes. */
const MOST_BYTES = 64 * 1024 * 1024

/** Makes it. `workspace` is one that keeps no checkpoints, or an undo would make one. */
export function createUndo(deps: {
  readonly checkpoints: Checkpoints
  readonly workspace: WorkspaceService
}): Undo {
  const { checkpoints, workspace } = deps
  const describe = async (checkpoint: Checkpoint): Promise<UndoPlan> => {
    const files: string[] = []
    const changed: string[] = []
    const diffs: string[] = []
    for (const file of checkpoint.files) {
      const now = await workspace.read(file.path, { maxBytes: MOST_BYTES })
      const bytes = now.ok ? now.bytes : undefined
      const before = file.before === undefined ? undefined : await kept(checkpoints, checkpoint, file)
      if (isSame(bytes, before)) continue
      files.push(file.path)
      if (bytes === undefined || file.after !== hashOfBytes(bytes)) changed.push(file.path)
      diffs.push(await unifiedDiff(file.path, textOf(bytes), textOf(before)))
    }
    return { checkpoint, diff: diffs.join('\n'), files, changed }
  }
  return {
    plan: describe,
    async apply({ checkpoint }) {
      const { changed } = await describe(checkpoint)
      if (changed.length > 0) throw changedSince(changed)
      for (const file of checkpoint.files) await restore(deps, checkpoint, file)
      await checkpoints.forget(checkpoint)
    },
  }
}

/** The error of files that somebody changed meanwhile. */
export function changedSince(files: readonly string[]): AmberError {
  const which = files.length === 1 ? `${files[0]} has` : `${files.join(', ')} have`
  return new AmberError(
    'failed',
    `${which} changed since, so nothing was taken back.`,
    'Look at the diff and change back by hand what you do not want.',
  )
}

async function kept(checkpoints: Checkpoints, checkpoint: Checkpoint, file: KeptFile): Promise<Uint8Array> {
  try {
    return await checkpoints.before(checkpoint, file)
  } catch (thrown) {
    throw new AmberError(
      'failed',
      `What ${file.path} was before is gone: ${messageOf(thrown)}`,
      'Its old content may be in version control.',
      thrown,
    )
  }
}

async function restore(
  { checkpoints, workspace }: { readonly checkpoints: Checkpoints; readonly workspace: WorkspaceService },
  checkpoint: Checkpoint,
  file: KeptFile,
): Promise<void> {
  if (file.before === undefined) {
    const place = await workspace.locate(file.path)
    if (place.ok && place.kind === 'file') await remove(place.path)
    return
  }
  const written = await workspace.write(file.path, await kept(checkpoints, checkpoint, file))
  if (!written.ok) throw new AmberError('failed', written.error, 'What was taken back before stays so.')
  await chmod(join(await workspace.root(), written.relative), file.mode).catch(() => undefined)
}

async function remove(path: string): Promise<void> {
  try {
    await rm(path)
  } catch (thrown) {
    throw new AmberError(
      'failed',
      `${path} could not be removed: ${messageOf(thrown)}`,
      'Remove it by hand.',
      thrown,
    )
  }
}

function isSame(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  return Buffer.compare(a, b) === 0
}

function textOf(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined ? undefined : Buffer.from(bytes).toString('utf8')
}
