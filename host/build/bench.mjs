// `npm run bench [-- NAME …]`: makes amber ready and runs the measurements, one process each.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { prepare, root } from './prepare.mjs'

/** In the order in which they are printed. */
const SUBJECTS = ['swap', 'start', 'many-plugins', 'memory']

prepare()
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
  const file = join(root, 'test', 'bench', `${subject}.ts`)
  const result = spawnSync(process.execPath, ['--expose-gc', '--import', 'tsx', file], {
    cwd: root,
    stdio: 'inherit',
  })
  if (result.status !== 0) failed = true
  console.log('')
}
process.exit(failed ? 1 : 0)
