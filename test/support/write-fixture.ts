import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { createWorkspaceService } from '../../host/workspace/workspace-service.ts'
import { writeEdits } from '../../plugins/tool_write/write-edits.ts'
import type { ToolResult, WorkspaceService } from '../../sdk/index.ts'
import { createTempTree, type TreeEntry } from './temp-tree.ts'

type Edits = Parameters<typeof writeEdits>[1]['edits']

/** A temporary workspace and the tool `write` on it. */
export interface WriteFixture {
  readonly root: string
  readonly workspace: WorkspaceService
  write(path: string, ...edits: Edits): Promise<ToolResult>
  /** The file's bytes as latin1, so that a test can show every one of them. */
  bytes(path: string): Promise<string>
  text(path: string): Promise<string>
}

/** Makes one. */
export async function createWriteFixture(
  t: TestContext,
  entries: Readonly<Record<string, TreeEntry>> = {},
): Promise<WriteFixture> {
  const root = await createTempTree(t, entries)
  const workspace = createWorkspaceService({ workspace: root })
  return {
    root,
    workspace,
    write: (path, ...edits) => writeEdits(workspace, { path, edits: [...edits] }),
    bytes: (path) => readFile(join(root, path), 'latin1'),
    text: (path) => readFile(join(root, path), 'utf8'),
  }
}
