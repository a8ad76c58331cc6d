import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** All tests that need no process of their own, in this one: loading the program once instead of fifty times. */
const root = fileURLToPath(new URL('..', import.meta.url))
const apart = new Set(['cli', 'tui', 'browser', 'bench', 'support', 'screens'])

function testsBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((item) => {
      const path = join(folder, item.name)
      if (item.isDirectory()) return item.name === 'node_modules' ? [] : testsBelow(path)
      return item.name.endsWith('.test.ts') && item.name !== 'together.test.ts' ? [path] : []
    })
}

const inTest = readdirSync(join(root, 'test'), { withFileTypes: true })
const folders = inTest
  .filter((item) => item.isDirectory() && !apart.has(item.name))
  .map((item) => join(root, 'test', item.name))
const single = inTest.filter((item) => item.name.endsWith('.test.ts') && item.name !== 'together.test.ts')

for (const path of [
  ...single.map((item) => join(root, 'test', item.name)),
  ...[...folders, join(root, 'plugins'), join(root, 'templates')].flatMap(testsBelow),
]) {
  await import(path)
}
