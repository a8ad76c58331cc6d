import { readdir } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import type { Manifest } from '../../../../manifests/manifest.ts'

const LEFT_OUT_FOLDERS: ReadonlySet<string> = new Set(['node_modules', 'test', 'tests', '__tests__'])
/** Sources, tests, and what only the author's own tools read. */
const LEFT_OUT_FILES =
  /(\.[cm]?tsx?|\.test\.[cm]?jsx?|\.tgz|\.log|\.map)$|^(package(-lock)?|tsconfig(\.\w+)?|jsconfig|biome)\.jsonc?$|^(yarn\.lock|pnpm-lock\.yaml|plugin\.json)$/

/**
 * The files that are published beside the bundle, relative to the folder: data that the code may read, README, licence,
 * and the folder of each skill whole. What went into the bundle, sources and tests stay behind.
 */
export async function releaseFiles(
  folder: string,
  manifest: Manifest,
  options: { readonly inputs: readonly string[]; readonly out: string },
): Promise<readonly string[]> {
  const bundled = new Set(options.inputs)
  const named = new Set(namedFilesOf(manifest))
  const skills = [...manifest.capabilities.skills].flatMap(({ file }) =>
    file === undefined || posix.dirname(tidy(file)) === '.' ? [] : [`${posix.dirname(tidy(file))}/`],
  )
  const isData = (path: string, name: string) =>
    named.has(path) ||
    skills.some((skill) => path.startsWith(skill)) ||
    (!LEFT_OUT_FILES.test(name) && !bundled.has(join(folder, path)))
  const found: string[] = []
  const walk = async (prefix: string): Promise<void> => {
    for (const item of await readdir(join(folder, prefix), { withFileTypes: true })) {
      const path = posix.join(prefix, item.name)
      if (item.name.startsWith('.') || join(folder, path) === options.out) continue
      if (item.isDirectory()) {
        if (!LEFT_OUT_FOLDERS.has(item.name) && !isBuilt(join(folder, path), options.out)) await walk(path)
      } else if (item.isFile() && isData(path, item.name)) found.push(path)
    }
  }
  await walk('')
  return found.sort()
}

/** A staging folder lies beside the out folder. */
function isBuilt(path: string, out: string): boolean {
  return dirname(path) === dirname(out) && path.startsWith(`${out}.`)
}

function namedFilesOf({ capabilities }: Manifest): readonly string[] {
  return [...capabilities.promptBlocks, ...capabilities.skills].flatMap(({ file }) =>
    file === undefined ? [] : [tidy(file)],
  )
}

function tidy(file: string): string {
  return posix.normalize(file)
}
