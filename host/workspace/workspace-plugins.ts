import { access, readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { systemCode } from '../base/errors.ts'

/** Where a workspace keeps plugins (interfaces 3). */
export function workspacePlugins(workspace: string): string {
  return join(workspace, '.amber', 'plugins')
}

/** The real paths of the plugin folders of a workspace. */
export async function pluginFoldersOf(workspace: string): Promise<readonly string[]> {
  const parent = workspacePlugins(workspace)
  const found: string[] = []
  for (const name of await namesIn(parent)) {
    const folder = await realpath(join(parent, name)).catch(() => undefined)
    if (folder !== undefined && (await exists(join(folder, 'plugin.json')))) found.push(folder)
  }
  return found
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).filter((name) => !name.startsWith('.')).sort()
  } catch (thrown) {
    if (systemCode(thrown) === 'ENOENT' || systemCode(thrown) === 'ENOTDIR') return []
    throw thrown
  }
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
