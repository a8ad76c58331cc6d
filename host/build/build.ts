import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { generatedValidators } from '../../manifests/build-validators.ts'
import { readManifest } from '../../manifests/read-manifest.ts'
import { AMBER_VERSION } from '../base/version.ts'
import { storedForm } from '../plugin/build-store.ts'
import { buildConsistently } from '../plugin/consistent-build.ts'
import { buildKeyOf } from '../plugin/versions.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Built beside and moved into place: a program that runs meanwhile keeps its files, and a failed build leaves the old. */
const dist = join(root, 'dist.new')

/** What stays outside the bundle: libraries with binaries, and those that only an author's work needs. */
const EXTERNAL = ['esbuild', 'tsx', 'typescript', 'json-schema-to-typescript', '@vscode/ripgrep']

/** Some bundled libraries are CommonJS and call `require` for Node's own modules. */
const REQUIRE = `import { createRequire as amberRequire } from 'node:module'; const require = amberRequire(import.meta.url);`

async function buildProgram(): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: { amber: 'host/cli/main.ts', sdk: 'sdk/index.ts', testing: 'host/testing/index.ts' },
    outdir: dist,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    minifyWhitespace: true,
    minifySyntax: true,
    keepNames: false,
    legalComments: 'none',
    chunkNames: 'chunks/[name]-[hash]',
    external: EXTERNAL,
    banner: { js: REQUIRE },
    plugins: [generatedValidators()],
    logLevel: 'warning',
  })
  chmodSync(join(dist, 'amber.js'), 0o755)
}

/** Builds the bundled plugins ahead, by the same steps and into the same form as the cache of any other plugin. */
async function buildPlugins(): Promise<void> {
  const builds = join(dist, 'builds')
  mkdirSync(builds, { recursive: true })
  const folders = readdirSync(join(root, 'plugins'), { withFileTypes: true }).filter((item) => item.isDirectory())
  for (const { name: id } of folders) {
    const folder = join(root, 'plugins', id)
    const manifestFile = join(folder, 'plugin.json')
    const { manifest, diagnostics } = await readManifest(readFileSync(manifestFile, 'utf8'), manifestFile, {
      amberVersion: AMBER_VERSION,
    })
    if (!manifest) throw new Error(`${manifestFile}: ${diagnostics[0]?.message}`)
    if (manifest.entry === undefined) continue
    const built = await buildConsistently(
      { folder, entry: manifest.entry, external: manifest.external, manifestFile },
      [],
    )
    if (!built.ok) throw new Error(`${built.diagnostics[0]?.file}: ${built.diagnostics[0]?.message}`)
    const key = buildKeyOf({ amberVersion: AMBER_VERSION }, manifest)
    writeFileSync(join(builds, `${id}.json`), JSON.stringify(storedForm(folder, key, built.bundle)))
  }
}

/** The declarations that an author's compiler reads for `amber-agent/sdk` and `amber-agent/sdk/testing`. */
function buildTypes(): void {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const result = spawnSync(process.execPath, [tsc, '-p', 'host/build/tsconfig.types.json'], {
    cwd: root,
    stdio: 'inherit',
  })
  if (result.status !== 0) throw new Error('the declarations could not be made')
}

rmSync(dist, { recursive: true, force: true })
await buildProgram()
await buildPlugins()
buildTypes()
rmSync(join(root, 'dist'), { recursive: true, force: true })
renameSync(dist, join(root, 'dist'))
