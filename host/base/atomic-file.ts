import { randomBytes } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolder } from './make-folder.ts'

/**
 * Replaces a file in one step: a reader sees the old bytes or the new, and a crash leaves one of the two.
 * Makes missing folders. `mode` is 0600 unless said. Rejects with the system's error.
 */
export async function writeFileAtomic(
  path: string,
  content: string | Uint8Array,
  options: { readonly mode?: number } = {},
): Promise<void> {
  makeFolder(dirname(path), { mode: 0o700 })
  const temporary = `${path}.${process.pid}.${randomBytes(6).toString('hex')}.tmp`
  try {
    const file = await open(temporary, 'wx', options.mode ?? 0o600)
    try {
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (thrown) {
    await rm(temporary, { force: true })
    throw thrown
  }
}
