// `npm run bench [-- NAME …]`: makes amber ready and runs the measurements, one process each.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { prepare, root } from './prepare.mjs'

/** In the order in which they are printed. */
const SUBJECTS = [
  'swap',
  'workshop',
  'start',
  'many-plugins',
  'memory',
  'wire',
  'tui',
  'semantic',
  'sessions',
  'rounds',
]

prepare()
// Not in the bootstrap's own imports: nothing was installed before `prepare`.
const { build } = await import('esbuild')
const given = process.argv.slice(2)
const unknown = given.filter((name) => !SUBJECTS.includes(name))
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}. There are: ${SUBJECTS.join(', ')}.`)
  process.exit(2)
}
console.log(
  `Node.js ${process.version}, ${process.platform} ${process.arch}; each ratio is to a floor measured in the same run.\n`,
)
let failed = false
for (const subject of given.length > 0 ? given : SUBJECTS) {
  // Bundled as the program is: run from source, the loader would be measured too.
  const file = join(root, 'test', 'bench', `${subject}.bundle.mjs`)
  await build({
    absWorkingDir: root,
    entryPoints: [join('test', 'bench', `${subject}.ts`)],
    outfile: file,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
  })
  const result = spawnSync(process.execPath, ['--expose-gc', file], { cwd: root, stdio: 'inherit' })
  rmSync(file)
  if (result.status !== 0) failed = true
  console.log('')
}
process.exit(failed ? 1 : 0)
