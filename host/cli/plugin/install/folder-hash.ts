import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A hash of every name and every byte in a folder of plain files and folders. */
export async function hashOfFolder(folder: string): Promise<string> {
  const hash = createHash('sha512')
  for (const file of await filesBelow(folder, '')) {
    const content = await readFile(join(folder, file))
    hash.update(`${file}\0${content.length}\0`).update(content)
  }
  return `sha512-${hash.digest('base64')}`
}

/** Every file below a folder, relative to it, in a fixed order. */
export async function filesBelow(folder: string, prefix: string): Promise<readonly string[]> {
  const items = await readdir(join(folder, prefix), { withFileTypes: true })
  const sorted = items.sort((a, b) => (a.name < b.name ? -1 : 1))
  const found: string[] = []
  for (const item of sorted) {
    const path = prefix === '' ? item.name : `${prefix}/${item.name}`
    if (item.isDirectory()) found.push(...(await filesBelow(folder, path)))
    else found.push(path)
  }
  return found
}
