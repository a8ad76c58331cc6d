import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { findInstallation } from '../../host/base/installation.ts'
import { referenceText } from '../../host/build/reference.ts'
import { linkAmber, writeTypes } from '../../host/plugin/author-files.ts'
import { typeCheck } from '../../host/plugin/type-check.ts'
import { KIND_ORDER } from '../../host/registry/kinds.ts'
import { createTestHost } from '../../host/testing/index.ts'
import { readManifest } from '../../manifests/read-manifest.ts'
import { atEnd } from '../support/at-end.ts'
import { guidePages, writePage } from '../support/guide.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const installation = findInstallation(import.meta.url)
const pages = guidePages()
/** The generated page has declarations, no snippets. */
const written = pages.filter(({ name }) => name !== 'reference')

/** Every page's plugin in a folder of its own, with its types, as an author has it. */
async function scaffold(t: TestContext) {
  const parent = temporaryFolder(t)
  const tsconfig = join(installation.folder, 'templates', 'common', 'tsconfig.json')
  writeFileSync(join(parent, 'tsconfig.json'), readFileSync(tsconfig))
  writeFileSync(join(parent, 'package.json'), '{ "type": "module" }')
  await linkAmber(parent, installation.folder)
  const plugins: { readonly page: string; readonly folder: string }[] = []
  for (const page of written) {
    const folder = writePage(page, join(parent, page.name))
    if (folder === undefined) continue
    const file = join(folder, 'plugin.json')
    const { manifest, diagnostics } = await readManifest(readFileSync(file, 'utf8'), file, {
      amberVersion: installation.version,
    })
    assert.deepEqual(diagnostics, [], page.name)
    assert.ok(manifest)
    await writeTypes(folder, manifest)
    plugins.push({ page: page.name, folder })
  }
  return { parent, plugins }
}

test('NEW-1 every block of the guide is a file of a plugin, or commands: nothing in it goes untried', () => {
  for (const { name, blocks } of written)
    for (const { info, line } of blocks)
      assert.match(info, /^(sh|(ts|json|md) [\w./-]+)$/, `${name}.md:${line} is a snippet that no test runs`)
})

test('NEW-1 the guide has a plugin for each kind of contribution', () => {
  const texts = written.flatMap(({ blocks }) => blocks.map(({ text }) => text))
  for (const kind of KIND_ORDER)
    assert.ok(
      texts.some((text) => text.includes(`"${kind}s": [`)),
      kind,
    )
})

test('NEW-1 the guide’s links lead somewhere, and the index has every page', () => {
  for (const { name, file, text } of pages)
    for (const [, to = ''] of text.matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g))
      assert.ok(existsSync(resolve(dirname(file), to)), `${name}.md links to ${to}`)
  const index = pages.find(({ file }) => file.endsWith('guide/README.md'))
  for (const { name } of pages) if (name !== 'README') assert.ok(index?.text.includes(`(${name}.md)`), name)
})

test('NEW-1 the guide’s plugins are typed as their manifests say, and have no type error', async (t) => {
  const { parent } = await scaffold(t)
  const findings = await typeCheck(parent, { installation: installation.folder })
  const told = findings.map(({ file, line, message, hint }) => `${file}:${line} ${message} ${hint ?? ''}`)
  assert.deepEqual(told, [])
})

test('LED-1 the guide’s plugins load, and all that they declare is installed', async (t) => {
  const { plugins } = await scaffold(t)
  assert.ok(plugins.length >= 13, `only ${plugins.length} plugins`)
  for (const { page, folder } of plugins) {
    const host = createTestHost()
    atEnd(t, () => host.dispose())
    await host.install(folder)
    assert.ok(host.ledger().length > 0, page)
    for (const entry of host.ledger())
      assert.equal(entry.status, 'installed', `${page}: ${entry.kind} ${entry.name}: ${entry.reason}`)
    await host.assertCleanRemoval()
  }
})

test('NEW-1 the tests that the guide shows pass', async (t) => {
  const { parent, plugins } = await scaffold(t)
  const files = plugins.flatMap(({ folder }) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => join(folder, name)),
  )
  assert.equal(files.length, plugins.filter(({ page }) => page !== 'publishing').length)
  const together = join(parent, 'together.mjs')
  writeFileSync(
    together,
    files.map((file) => `await import(${JSON.stringify(pathToFileURL(file).href)})\n`).join(''),
  )
  mkdirSync(join(parent, 'home'))
  const { code, output } = await runNode(together, parent)
  assert.equal(code, 0, output)
})

test('NEW-1 the reference is that of this schema and these types', () => {
  const page = pages.find(({ name }) => name === 'reference')
  assert.ok(page)
  assert.ok(
    page.text === referenceText(),
    'it is not: node --import tsx host/build/reference.ts writes it anew',
  )
})

function runNode(
  file: string,
  cwd: string,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', tsx, file], {
      cwd,
      env: { PATH: process.env.PATH, HOME: join(cwd, 'home') },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    child.stdout.on('data', (text) => {
      output += text
    })
    child.stderr.on('data', (text) => {
      output += text
    })
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output }))
  })
}
