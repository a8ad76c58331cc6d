import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { bundleInspector } from '../../devserver/inspector/bundle.ts'
import { generatedValidators } from '../../manifests/build-validators.ts'
import { readManifest } from '../../manifests/read-manifest.ts'
import { AMBER_VERSION } from '../base/version.ts'
import { storedForm } from '../plugin/build-store.ts'
import { buildConsistently } from '../plugin/consistent-build.ts'
import { knownManifestsFile } from '../plugin/known-manifests.ts'
import { buildKeyOf } from '../plugin/versions.ts'
import { keepDeclarations } from './declarations.ts'
import { doorEntries, doorPlugins, doors, EXTERNAL } from './doors.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Built beside and moved into place: a program that runs meanwhile keeps its files, and a failed build leaves the old. */
const dist = join(root, 'dist.new')

/** What every part of the program is built with. */
const COMMON = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'none',
  logLevel: 'warning',
} as const

/**
 * The command: a small launcher, one core, and the libraries that most runs do not need, each behind its door. CommonJS,
 * which Node.js loads faster than modules and which can come from V8's code cache.
 */
async function buildCommand(): Promise<void> {
  const commonjs = {
    ...COMMON,
    format: 'cjs',
    minifyIdentifiers: true,
    define: { 'import.meta.url': 'amberMetaUrl' },
    banner: { js: 'const amberMetaUrl=require("node:url").pathToFileURL(__filename).href;' },
    // `import()` becomes `require`: no second loader is started, and a door is opened by the launcher.
    supported: { 'dynamic-import': false },
  } as const
  const core = { ...commonjs, external: EXTERNAL, plugins: [...doors()] }
  await build({ ...core, entryPoints: ['host/cli/main.ts'], outfile: join(dist, 'main.cjs') })
  await build({
    ...commonjs,
    entryPoints: doorEntries(root),
    outdir: join(dist, 'lib'),
    outExtension: { '.js': '.cjs' },
    plugins: [...doorPlugins()],
  })
  const launcher = readFileSync(join(root, 'host/build/launcher.cjs'), 'utf8')
  writeFileSync(join(dist, 'amber.js'), launcher.replace('AMBER_VERSION', JSON.stringify(AMBER_VERSION)))
  chmodSync(join(dist, 'amber.js'), 0o755)
  writeFileSync(join(dist, 'package.json'), '{ "type": "commonjs" }\n')
}

/** What authors import: the SDK, and the testing kit with its own copy of the host. */
async function buildSdk(): Promise<void> {
  await build({
    ...COMMON,
    entryPoints: { sdk: 'sdk/index.ts', testing: 'host/testing/index.ts' },
    outdir: dist,
    outExtension: { '.js': '.mjs' },
    format: 'esm',
    splitting: true,
    chunkNames: 'sdk-[hash]',
    external: EXTERNAL,
    // Some bundled libraries are CommonJS and call `require` for Node's own modules.
    banner: {
      js: `import { createRequire as amberRequire } from 'node:module'; const require = amberRequire(import.meta.url);`,
    },
    plugins: [generatedValidators()],
  })
}

/** The inspector's page: one script and one style, which the dev server reads when they are asked for. */
async function buildInspector(): Promise<void> {
  const { script, style } = await bundleInspector()
  mkdirSync(join(dist, 'inspector'))
  writeFileSync(join(dist, 'inspector', 'inspector.js'), script)
  writeFileSync(join(dist, 'inspector', 'inspector.css'), style)
}

/** Builds the bundled plugins ahead, by the same steps and into the same form as the cache of any other plugin. */
async function buildPlugins(): Promise<void> {
  const builds = join(dist, 'builds')
  mkdirSync(builds, { recursive: true })
  const known: string[] = []
  const folders = readdirSync(join(root, 'plugins'), { withFileTypes: true }).filter((item) =>
    item.isDirectory(),
  )
  for (const { name: id } of folders) {
    const folder = join(root, 'plugins', id)
    const manifestFile = join(folder, 'plugin.json')
    const text = readFileSync(manifestFile, 'utf8')
    const { manifest, diagnostics } = await readManifest(text, manifestFile, { amberVersion: AMBER_VERSION })
    if (!manifest) throw new Error(`${manifestFile}: ${diagnostics[0]?.message}`)
    if (diagnostics.length === 0) known.push(text)
    if (manifest.entry === undefined) continue
    const built = await buildConsistently(
      { folder, entry: manifest.entry, external: manifest.external, manifestFile },
      [],
    )
    if (!built.ok) throw new Error(`${built.diagnostics[0]?.file}: ${built.diagnostics[0]?.message}`)
    const key = buildKeyOf({ amberVersion: AMBER_VERSION }, manifest)
    writeFileSync(join(builds, `${id}.json`), JSON.stringify(storedForm(folder, key, built.bundle)))
  }
  writeFileSync(join(builds, 'manifests.json'), knownManifestsFile(AMBER_VERSION, known))
}

/** The declarations that an author's compiler reads for `amber-agent/sdk` and `amber-agent/sdk/testing`. */
function buildTypes(): void {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const result = spawnSync(process.execPath, [tsc, '-p', 'host/build/tsconfig.types.json'], {
    cwd: root,
    stdio: 'inherit',
  })
  if (result.status !== 0) throw new Error('the declarations could not be made')
  keepDeclarations(join(dist, 'types'), ['sdk/index.d.ts', 'host/testing/index.d.ts'])
}

/** Runs the command once so that V8's compiled code of what a run needs can be kept beside it. */
function keepCompiledCode(folder: string): void {
  const home = mkdtempSync(join(tmpdir(), 'amber-build-'))
  const env = { PATH: process.env.PATH ?? '', AMBER_HOME: home, AMBER_WRITE_CODE_CACHE: '1' }
  // The listing first: it keeps the core, and what only a turn needs would be read back by every start.
  for (const command of [
    ['plugin', 'list'],
    ['run', '--no-session', 'greet amber'],
  ]) {
    spawnSync(process.execPath, [join(folder, 'amber.js'), ...command], { cwd: home, env })
  }
  // The screen, too, where there is a program that makes a terminal: one that ends at once.
  const screen = `stty cols 80 rows 24; exec '${process.execPath}' '${join(folder, 'amber.js')}' --no-session --no-plugins`
  spawnSync('script', ['-qec', screen, '/dev/null'], {
    cwd: home,
    env: { ...env, SHELL: '/bin/sh', TERM: 'xterm' },
    input: '\x04',
    stdio: ['pipe', 'ignore', 'ignore'],
    timeout: 10_000,
  })
  rmSync(home, { recursive: true, force: true })
}

rmSync(dist, { recursive: true, force: true })
await buildCommand()
await buildSdk()
await buildInspector()
await buildPlugins()
buildTypes()
writeFileSync(join(dist, 'types', 'package.json'), '{ "type": "module" }\n')
rmSync(join(root, 'dist'), { recursive: true, force: true })
renameSync(dist, join(root, 'dist'))
keepCompiledCode(join(root, 'dist'))
