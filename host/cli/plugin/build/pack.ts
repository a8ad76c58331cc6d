import { join } from 'node:path'
import type { Manifest } from '../../../../manifests/manifest.ts'
import { filesBelow } from '../install/folder-hash.ts'

/** Packs a built plugin as npm would: below `package/`, the same bytes for the same files. Gives the archive's path. */
export async function pack(built: string, into: string, manifest: Manifest): Promise<string> {
  const { create } = await import('tar')
  const file = join(into, `${manifest.id}-${manifest.version}.tgz`)
  const files = await filesBelow(built, '')
  await create(
    { file, cwd: built, gzip: { level: 9 }, portable: true, noMtime: true, prefix: 'package', follow: false },
    [...files],
  )
  return file
}
