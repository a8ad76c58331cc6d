import type { FolderEntry, ToolResult, WorkspaceService } from 'amber-agent/sdk'

/** Entries of a folder that are named. */
const SHOWN_ENTRIES = 100

/** The error of a `read` that named a folder: it lists what is in it, since that is what the caller needs next. */
export async function showFolder(workspace: WorkspaceService, path: string): Promise<ToolResult> {
  const listing = await workspace.list(path, { max: SHOWN_ENTRIES })
  if (!listing.ok) return { ok: false, error: listing.error }
  const { relative, entries, total } = listing
  if (entries.length === 0) return { ok: false, error: `${relative} is an empty folder, not a file.` }
  const lines = entries.map(nameOf)
  if (total === undefined || total > entries.length) {
    lines.push(`[and ${total === undefined ? 'many' : total - entries.length} more]`)
  }
  return {
    ok: false,
    error: `${relative} is a folder, not a file. Read one of its entries:\n${lines.join('\n')}`,
  }
}

function nameOf({ name, kind }: FolderEntry): string {
  const marks = { directory: '/', link: ' (link)', other: ' (special)', file: '' }
  return `${name}${marks[kind]}`
}
