import { createHash } from 'node:crypto'
import { basename } from 'node:path'

/** The folder name of a workspace's sessions: its own name, for people, and a hash of its real path. */
export function workspaceKey(realPath: string): string {
  const name = basename(realPath)
    .replace(/[^a-zA-Z0-9._-]+/g, '_')
    .replace(/^\.+/, '')
    .slice(0, 40)
  const hash = createHash('sha256').update(realPath).digest('hex').slice(0, 12)
  return `${name === '' ? 'workspace' : name}-${hash}`
}
