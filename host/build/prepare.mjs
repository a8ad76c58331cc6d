// What `npm start`, `npm test` and `npm run bench` share: install and build what is missing or stale, and nothing twice.
// Plain JavaScript, since nothing is installed yet when it runs.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The repository's folder. */
export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

const OLDEST_NODE = [20, 19]
const SOURCES = [
  'host',
  'sdk',
  'plugins',
  'manifests',
  'devserver',
  'templates',
  'package.json',
  'tsconfig.json',
]

/** Ends the process with a plain sentence when this Node.js is too old. */
function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return
  console.error(
    `amber needs Node.js ${OLDEST_NODE.join('.')} or newer, but this is ${process.versions.node}.`,
  )
  console.error('Install a newer one from your package manager or nodejs.org.')
  process.exit(3)
}

/** Runs a command with its output on standard error; ends the process with its exit code when it fails. */
function run(command, args, what) {
  const result = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  })
  if (result.status === 0) return
  console.error(`amber could not ${what}${result.error ? `: ${result.error.message}` : ''}.`)
  process.exit(1)
}

function stampIs(file, value) {
  return existsSync(file) && readFileSync(file, 'utf8') === value
}

function installed() {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  const stamp = join(root, 'node_modules', '.amber-installed')
  if (stampIs(stamp, lock)) return
  // npm ci empties what the link leads to, which is somebody else's.
  if (lstatSync(join(root, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink()) {
    console.error('amber: node_modules is a link, and what it leads to is not what package-lock.json says.')
    console.error('Remove the link, or run npm ci where it leads.')
    process.exit(1)
  }
  console.error('amber: installing its libraries (once) …')
  run('npm', ['ci', '--loglevel=error'], 'install its libraries')
  writeFileSync(stamp, lock)
}

function* filesBelow(path) {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) return
  if (!stat.isDirectory()) yield [path, stat]
  else {
    for (const name of readdirSync(path).sort()) {
      if (name !== 'node_modules' && name !== '.git') yield* filesBelow(join(path, name))
    }
  }
}

function built() {
  const hash = createHash('sha256').update(process.version)
  for (const source of SOURCES) {
    for (const [path, { mtimeMs, size }] of filesBelow(join(root, source)))
      hash.update(`${path}\0${mtimeMs}\0${size}\n`)
  }
  const value = hash.digest('hex')
  const stamp = join(root, 'dist', '.built')
  if (stampIs(stamp, value)) return
  run(process.execPath, ['--import', 'tsx', join('host', 'build', 'build.ts')], 'build itself')
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, value)
}

/** Makes the repository ready to run. */
export function prepare() {
  checkNode()
  installed()
  built()
}
