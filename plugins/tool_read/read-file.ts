import type { FileRead, ToolCall, ToolResult, WorkspaceService } from 'amber-agent/sdk'
import { binaryType } from './binary-type.ts'
import { LineWindow } from './line-window.ts'
import type { ReadArguments } from './plugin.types.ts'
import { showFolder } from './show-folder.ts'
import { LINE_BYTES, showLines } from './show-lines.ts'

/** Lines of one call when it does not say. */
export const DEFAULT_LIMIT = 200

/** Bytes that are in memory at once. */
const PIECE_BYTES = 1024 * 1024

type Piece = Extract<FileRead, { readonly ok: true }>

/** Runs a call of `read`: the lines asked for, numbered, and a trailer with the true total or the next offset. */
export async function readTextFile(
  workspace: WorkspaceService,
  args: ReadArguments,
  call: Pick<ToolCall, 'signal'>,
): Promise<ToolResult> {
  const first = await workspace.read(args.path, { maxBytes: PIECE_BYTES })
  if (!first.ok) {
    return first.rule === 'directory' ? showFolder(workspace, args.path) : { ok: false, error: first.error }
  }
  const binary = binaryType(first.bytes)
  if (binary !== undefined) {
    return failed(
      `${first.relative} is binary: ${binary}, ${sizeOf(first.size)}. Only text is read; a command such as file, strings or xxd can look inside.`,
    )
  }
  const window = new LineWindow({
    from: args.offset ?? 1,
    count: args.limit ?? DEFAULT_LIMIT,
    // Room for a byte order mark, a carriage return and the rest of a code point beyond what is shown.
    keepBytes: LINE_BYTES + 8,
  })
  const problem = await pushPieces(workspace, first, { window, signal: call.signal })
  return problem ?? describe(first, window, args.offset ?? 1)
}

/** Reads the file to the size that it had at first: a log that grows meanwhile does not keep the call going. */
async function pushPieces(
  workspace: WorkspaceService,
  first: Piece,
  into: { readonly window: LineWindow; readonly signal: AbortSignal },
): Promise<ToolResult | undefined> {
  let piece = first
  let offset = 0
  for (;;) {
    into.window.push(piece.bytes)
    offset += piece.bytes.length
    if (offset >= first.size) return undefined
    if (into.signal.aborted) return failed('Reading was cancelled.')
    const next = await workspace.read(first.path, {
      offset,
      maxBytes: Math.min(PIECE_BYTES, first.size - offset),
    })
    if (!next.ok) return failed(next.error)
    if (next.identity !== first.identity || next.bytes.length === 0) {
      return failed(`${first.relative} was replaced or cut short while it was read. Read it again.`)
    }
    piece = next
  }
}

function describe(file: Piece, window: LineWindow, from: number): ToolResult {
  const seen = window.end()
  const { relative } = file
  if (seen.total === 0)
    return done(`${relative} is empty.\n[end of file: 0 lines]`, { path: relative, from: 0, to: 0, total: 0 })
  if (from > seen.total) {
    return failed(
      `${relative} has ${count(seen.total)}: offset ${from} is beyond its end. Use an offset from 1 to ${seen.total}.`,
    )
  }
  const { text, to, notes } = showLines(seen)
  const head = [`${relative}: lines ${from}-${to} of ${seen.total}`, ...notes].join('; ')
  const newline = seen.endsWithNewline ? '' : ', no line feed after the last'
  const trailer =
    to < seen.total
      ? `[${seen.total - to} more of ${count(seen.total)}: go on with offset ${to + 1}]`
      : `[end of file: ${count(seen.total)}${newline}]`
  return done(`${head}\n${text}\n${trailer}`, { path: relative, from, to, total: seen.total })
}

function count(lines: number): string {
  return lines === 1 ? '1 line' : `${lines} lines`
}

/** A size for people; powers of 1000. */
function sizeOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}

function done(output: string, meta: Readonly<Record<string, unknown>>): ToolResult {
  return { ok: true, output, meta }
}

function failed(error: string): ToolResult {
  return { ok: false, error }
}
