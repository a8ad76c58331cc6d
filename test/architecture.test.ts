import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const ROOMS = ['sdk', 'manifests', 'host', 'devserver', 'plugins', 'templates']

/** Who may import whom, room by room; `host` counts by its own rooms below. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  sdk: [],
  manifests: ['sdk'],
  host: ['sdk', 'manifests', 'host'],
  devserver: ['sdk', 'manifests', 'host', 'devserver'],
  plugins: [],
  templates: [],
}

/** Inside the host a room may import what stands on a lower floor, and rooms of its own floor that are named here. */
const FLOORS: readonly (readonly string[])[] = [
  ['base'],
  ['registry'],
  ['ledger'],
  ['command', 'llm', 'workspace', 'session'],
  ['plugin'],
  ['agent'],
  ['tui', 'headless'],
  ['app'],
  ['testing', 'cli', 'build'],
]

interface Edge {
  readonly from: string
  readonly to: string
  /** A package or a Node module instead of a file of the project. */
  readonly external: boolean
  readonly typeOnly: boolean
  readonly dynamic: boolean
}

/** Every import of the project's own code, types included; tests may import what they like. */
function edges(): readonly Edge[] {
  return ROOMS.flatMap((room) => sourcesBelow(join(root, room))).flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    const found = text.matchAll(
      /(?:^|\n)\s*(?:import|export)[^'"`;]*?from\s*'([^']+)'|\bimport\('([^']+)'\)|(?:^|\n)import\s*'([^']+)'/g,
    )
    return [...found].map(([whole, stated = '', dynamic, bare]) => {
      const specifier = dynamic ?? bare ?? stated
      const isFile = specifier.startsWith('.')
      const to = isFile ? relative(root, resolve(dirname(file), specifier)) : specifier
      return {
        from: relative(root, file),
        to,
        external: !isFile,
        dynamic: dynamic !== undefined,
        typeOnly: /^\s*(import|export) type/.test(whole),
      }
    })
  })
}

function sourcesBelow(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true }).flatMap((item) => {
    if (item.name === 'node_modules') return []
    const path = join(folder, item.name)
    if (item.isDirectory()) return sourcesBelow(path)
    return /\.ts$/.test(item.name) && !item.name.endsWith('.test.ts') ? [path] : []
  })
}

const roomOf = (path: string) => path.split('/')[0] ?? ''
const all = edges()

test('one-way flow: sdk <- manifests <- host <- devserver, and plugins import the SDK alone', () => {
  assert.ok(all.length > 300, `only ${all.length} imports were found`)
  const wrong = all.filter(({ from, to, external, dynamic, typeOnly }) => {
    if (external) return false
    const [here, there] = [roomOf(from), roomOf(to)]
    if (here === 'plugins' || here === 'templates') {
      return from.split('/').slice(0, 2).join('/') !== to.split('/').slice(0, 2).join('/')
    }
    if (here === there && here !== 'host') return false
    // The one door from the program to its dev server; types are erased and load nothing.
    if (there === 'devserver' && from.startsWith('host/cli/dev') && (dynamic || typeOnly)) return false
    // The build is no part of the program: it bundles the inspector's page into a file beside it.
    if (from === 'host/build/build.ts' && to === 'devserver/inspector/bundle.ts') return false
    if (to === 'package.json') return false
    return !(ALLOWED[here] ?? []).includes(there)
  })
  assert.deepEqual(
    wrong.map(({ from, to }) => `${from} -> ${to}`),
    [],
  )
})

test('inside the host no room imports one that stands above it', () => {
  const floor = (path: string) => FLOORS.findIndex((rooms) => rooms.includes(path.split('/')[1] ?? ''))
  const wrong = all.filter(({ from, to, external }) => {
    if (external || roomOf(from) !== 'host' || roomOf(to) !== 'host') return false
    const [here, there] = [floor(from), floor(to)]
    if (here < 0 || there < 0) return true
    return there > here || (there === here && from.split('/')[1] !== to.split('/')[1])
  })
  assert.deepEqual(
    wrong.map(({ from, to }) => `${from} -> ${to}`),
    [],
  )
})

test('the SDK imports nothing, and plugins nothing but the SDK, Node and what they declare', () => {
  const node = new Set(builtinModules)
  const wrong = all.filter(({ from, to, external }) => {
    if (!external) return false
    if (roomOf(from) === 'sdk') return true
    if (roomOf(from) !== 'plugins' && roomOf(from) !== 'templates') return false
    if (to.startsWith('amber-agent/sdk')) return false
    if (to.startsWith('node:')) return !node.has(to.slice(5))
    return !declaredBy(from.split('/').slice(0, 2).join('/'), to)
  })
  assert.deepEqual(
    wrong.map(({ from, to }) => `${from} -> ${to}`),
    [],
  )
})

/** A bundled plugin's libraries are those of amber's own package.json, or what its manifest calls external. */
function declaredBy(_plugin: string, specifier: string): boolean {
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
  const about: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const lists = ['dependencies', 'devDependencies'].map((key) => Object(about)[key] ?? {})
  return lists.some((list) => Object.hasOwn(list, name))
}

test('no cycles between files', () => {
  const graph = new Map<string, string[]>()
  for (const { from, to, external, dynamic } of all)
    if (!external && !dynamic) graph.set(from, [...(graph.get(from) ?? []), to])
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (file: string, path: readonly string[]) => {
    if (path.includes(file)) {
      cycles.push([...path.slice(path.indexOf(file)), file].join(' -> '))
      return
    }
    if (done.has(file)) return
    for (const next of graph.get(file) ?? []) visit(next, [...path, file])
    done.add(file)
  }
  for (const file of graph.keys()) visit(file, [])
  assert.deepEqual(cycles, [])
})

test('only main ends the process, only the transport opens connections to providers', () => {
  const text = (file: string) => readFileSync(join(root, file), 'utf8')
  const files = [...new Set(all.map((edge) => edge.from))].filter(
    (file) => file.startsWith('host/') && !file.startsWith('host/build/'),
  )
  assert.deepEqual(
    files.filter(
      (file) =>
        /process\.exit\(/.test(text(file)) &&
        file !== 'host/cli/main.ts' &&
        file !== 'host/plugin/owned-globals.ts',
    ),
    [],
  )
  assert.deepEqual(
    [...new Set(all.filter(({ to, typeOnly }) => to === 'undici' && !typeOnly).map(({ from }) => from))],
    ['host/llm/undici.ts'],
  )
})

test('every room has a README that says what lives there', () => {
  const rooms = ROOMS.flatMap((room) => {
    const folder = join(root, room)
    if (!existsSync(folder)) return []
    const inner = readdirSync(folder, { withFileTypes: true }).filter(
      (item) => item.isDirectory() && item.name !== 'node_modules',
    )
    return [folder, ...(room === 'host' ? inner.map((item) => join(folder, item.name)) : [])]
  })
  const missing = rooms.filter(
    (folder) => !existsSync(join(folder, 'README.md')) && readdirSync(folder).length > 0,
  )
  assert.deepEqual(
    missing.map((folder) => relative(root, folder)),
    [],
  )
})
