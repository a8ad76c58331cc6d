import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { AmberError } from '../../../base/errors.ts'

/**
 * Fills the out folder in one step: `fill` writes into a folder beside it, which takes its place when all went well; a
 * failed build leaves the last good one. Rejects with an AmberError when the folder holds anything but such a build.
 */
export async function fillOutFolder<Value>(
  out: string,
  folder: string,
  fill: (staging: string) => Promise<Value>,
): Promise<Value> {
  await checkOutFolder(out, folder)
  await mkdir(dirname(out), { recursive: true })
  const staging = await mkdtemp(join(dirname(out), `${basename(out)}.`))
  try {
    const value = await fill(staging)
    await rm(out, { recursive: true, force: true, maxRetries: 3 })
    await rename(staging, out)
    return value
  } finally {
    await rm(staging, { recursive: true, force: true, maxRetries: 3 })
  }
}

async function checkOutFolder(out: string, folder: string): Promise<void> {
  if (out === folder || !relative(out, folder).startsWith('..')) {
    throw new AmberError('failed', `${out} holds the plugin itself.`, 'Name another folder with --out DIR.')
  }
  const names = await readdir(out).catch(() => [])
  if (names.length === 0 || isBuild(names)) return
  throw new AmberError(
    'failed',
    `${out} is not empty, and was not made by a build.`,
    `Name another folder with --out DIR, or delete ${out.split(sep).at(-1)}.`,
  )
}

/** A build has a manifest and no sources. */
function isBuild(names: readonly string[]): boolean {
  return (
    names.includes('plugin.json') &&
    names.includes('package.json') &&
    !names.some((name) => name.endsWith('.ts'))
  )
}
