import type { FileRead, ToolResult, WorkspaceService } from 'amber-agent/sdk'
import { applyEdits, type Edit } from './apply-edits.ts'
import type { WriteArguments } from './plugin.types.ts'
import { decodeText, encodeText, hasLoneSurrogate } from './text-file.ts'
import { type TextDiff, unifiedDiff } from './unified-diff.ts'

/** A larger file is no text that anybody edits by hand. Bytes. */
const MOST_BYTES = 16 * 1024 * 1024

/** The file as it is before the call; `text` is undefined when there is none. */
interface Before {
  readonly text: string | undefined
  readonly hasMark: boolean
  /** What the write expects to find. */
  readonly expect: string
}

/** Runs a call of `write`: reads, makes all edits or none, writes in one step, and answers what changed. */
export async function writeEdits(workspace: WorkspaceService, args: WriteArguments): Promise<ToolResult> {
  const { path, edits } = args
  if (edits.some((edit) => hasLoneSurrogate(edit.new)))
    return failed(
      'The new text holds half a character (a lone surrogate), which no file can hold. Nothing was written.',
    )
  const before = await readBefore(workspace, path, edits)
  if ('error' in before) return failed(before.error)
  const edited = applyEdits(before.text, edits)
  if (!edited.ok) return failed(`${path}: ${edited.error}`)
  if (edited.text === before.text)
    return {
      ok: true,
      output: `${path} already reads like that; nothing was written.`,
      meta: { path, added: 0, removed: 0 },
    }
  const bytes = encodeText({ text: edited.text, hasMark: before.hasMark && !replacesAll(edits) })
  const written = await workspace.write(path, bytes, { expect: before.expect })
  if (!written.ok) return failed(written.error)
  const diff = unifiedDiff(written.relative, before.text, edited.text)
  return {
    ok: true,
    output: describe(written, edits, diff),
    meta: {
      path: written.relative,
      created: written.created,
      ...(diff.text === undefined ? {} : { diff: diff.text, added: diff.added, removed: diff.removed }),
    },
  }
}

/** Whether an edit replaces the whole file, whatever it was: then nothing of the old content counts. */
function replacesAll(edits: readonly Edit[]): boolean {
  return edits.some((edit) => edit.old === '')
}

async function readBefore(
  workspace: WorkspaceService,
  path: string,
  edits: readonly Edit[],
): Promise<Before | { readonly error: string }> {
  const read = await workspace.read(path, { maxBytes: MOST_BYTES })
  if (!read.ok) {
    const isNew = read.rule === 'missing' && edits[0]?.old === ''
    return isNew ? { text: undefined, hasMark: false, expect: 'missing' } : { error: read.error }
  }
  return whole(read, edits)
}

function whole(
  read: Extract<FileRead, { readonly ok: true }>,
  edits: readonly Edit[],
): Before | { readonly error: string } {
  const expect = read.version
  const isReplaced = edits[0]?.old === ''
  if (read.size > read.bytes.length) {
    if (isReplaced) return { text: '', hasMark: false, expect }
    return { error: `${read.relative} has ${read.size} bytes: more than can be edited. Nothing was written.` }
  }
  const content = decodeText(read.bytes)
  if (!('problem' in content)) return { ...content, expect }
  if (isReplaced) return { text: '', hasMark: false, expect }
  return { error: `${read.relative} was not changed: ${content.problem}.` }
}

interface Written {
  readonly relative: string
  readonly created: boolean
  readonly otherLinks: number
}

function describe(written: Written, edits: readonly Edit[], { added, removed }: TextDiff): string {
  const what = written.created ? 'Created' : 'Changed'
  const count = edits.length > 1 ? `, ${edits.length} edits` : ''
  const lines = added === undefined ? '' : `: +${added} −${removed} lines`
  const links =
    written.otherLinks > 0
      ? `\nThe file had ${written.otherLinks} other name${written.otherLinks > 1 ? 's' : ''} (hard links), which keep the old content.`
      : ''
  return `${what} ${written.relative}${lines}${count}.${links}`
}

function failed(error: string): ToolResult {
  return { ok: false, error }
}
