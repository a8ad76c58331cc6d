import { join } from 'node:path'
import type { Plugin } from 'esbuild'
import { generatedValidators } from '../../manifests/build-validators.ts'

/**
 * What the core is built without, because most runs need none of it: each becomes a file of its own in `dist/lib`,
 * loaded at the `import()` that asks for it. Of amber's own code only the screen is among them: what else it brings along
 * are pure functions, which may exist twice.
 */
const DOORS: Readonly<Record<string, string>> = {
  undici: 'host/llm/undici.ts',
  'compile-schema': 'manifests/compile-schema.ts',
  validators: 'manifests/validators.ts',
  tui: 'host/tui/index.ts',
  momoa: '@humanwhocodes/momoa',
  chokidar: 'chokidar',
  'js-yaml': 'js-yaml',
  unbash: 'unbash',
  diff: 'diff',
  tar: 'tar',
}

/** Packages with binaries, and those that only an author's work needs: installed beside amber, never bundled. */
export const EXTERNAL = ['esbuild', 'tsx', 'typescript', 'json-schema-to-typescript', '@vscode/ripgrep']

/** The doors as entry points. */
export function doorEntries(root: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(DOORS).map(([name, module]) => [
      name,
      module.includes('.ts') ? join(root, module) : module,
    ]),
  )
}

/** For esbuild: leaves every door out of the core, and points its importers to `dist/lib`. */
export function doors(): readonly Plugin[] {
  const byPackage = new Map(Object.entries(DOORS).map(([name, module]) => [module, name]))
  return [
    {
      name: 'amber-doors',
      setup(build) {
        build.onResolve({ filter: /./ }, ({ path, importer, kind }) => {
          if (kind === 'entry-point') return undefined
          const name = byPackage.get(path) ?? doorOfFile(path, importer)
          return name === undefined ? undefined : { path: `./lib/${name}.cjs`, external: true }
        })
      },
    },
  ]
}

function doorOfFile(path: string, importer: string): string | undefined {
  if (!path.startsWith('.') || importer.includes('node_modules')) return undefined
  const absolute = join(importer, '..', path)
  return Object.entries(DOORS).find(
    ([, module]) => module.endsWith('.ts') && absolute.endsWith(`/${module}`),
  )?.[0]
}

/** For esbuild, when the doors themselves are built. */
export function doorPlugins(): readonly Plugin[] {
  return [generatedValidators()]
}
