import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { McpServer } from 'amber-agent/sdk'
import { type Inventory, readInventory, recordOf } from './inventory.ts'

/** What was learned of a server the last time: what it has, or that it could not be reached. */
export type Knowledge =
  | { readonly kind: 'inventory'; readonly inventory: Inventory }
  | { readonly kind: 'unreachable' }

/**
 * Remembers what each server has, so that its tools are in the first request already, before the server is up; and
 * which ones could not be reached, so that nobody waits for them.
 */
export interface Known {
  recall(server: McpServer): Promise<Knowledge | undefined>
  /** A failure to write is no fault: it is only a cache. */
  remember(server: McpServer, knowledge: Knowledge): Promise<void>
  /** Forgets what is none of these servers. */
  keepOnly(servers: readonly McpServer[]): Promise<void>
}

/** Bytes of one server's file. */
const LARGEST = 4 * 1024 * 1024

/** Keeps it in a folder. */
export function createKnown(folder: string): Known {
  const fileOf = (server: McpServer) => join(folder, nameOf(server))
  return {
    async recall(server) {
      try {
        const bytes = await readFile(fileOf(server))
        if (bytes.length > LARGEST) return undefined
        const { kind, inventory } = recordOf(JSON.parse(bytes.toString('utf8')))
        if (kind === 'unreachable') return { kind }
        return kind === 'inventory' ? { kind, inventory: readInventory(inventory) } : undefined
      } catch {
        return undefined
      }
    },
    async remember(server, knowledge) {
      const temporary = `${fileOf(server)}.${process.pid}`
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        await writeFile(temporary, JSON.stringify(knowledge), { mode: 0o600 })
        await rename(temporary, fileOf(server))
      } catch {
        await rm(temporary, { force: true }).catch(() => undefined)
      }
    },
    async keepOnly(servers) {
      const wanted = new Set(servers.map(nameOf))
      const names = await readdir(folder).catch(() => [])
      const old = names.filter((name) => !wanted.has(name.slice(0, LENGTH)))
      await Promise.all(old.map((name) => rm(join(folder, name), { force: true }).catch(() => undefined)))
    },
  }
}

const LENGTH = 40

/** The same for the same server, reached in the same way. A hash: the file of a server names none of its secrets. */
function nameOf(server: McpServer): string {
  return createHash('sha256').update(JSON.stringify(server)).digest('hex').slice(0, LENGTH)
}
