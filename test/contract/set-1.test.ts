import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { findInstallation } from '../../host/base/installation.ts'
import { type Validated, validateFolder } from '../../host/cli/plugin/validate.ts'
import { typesAreCurrent } from '../../host/plugin/author-files.ts'
import { KIND_ORDER, KINDS } from '../../host/registry/kinds.ts'
import { createTestHost, type TestHost } from '../../host/testing/index.ts'
import type { Manifest } from '../../manifests/manifest.ts'
import { atEnd } from '../support/at-end.ts'

const PLUGINS = fileURLToPath(new URL('../../plugins', import.meta.url))
const { version } = findInstallation(import.meta.url)
const bundled = readdirSync(PLUGINS, { withFileTypes: true })
  .filter((item) => item.isDirectory() && existsSync(join(PLUGINS, item.name, 'plugin.json')))
  .map((item) => item.name)

/** The 23 of the seed, and amber's four. */
const PROVIDERS = [
  'custom',
  'openrouter',
  'kilocode',
  'opencode_go',
  'opencode_zen',
  'commandcode',
  'deepseek',
  'anthropic',
  'gemini',
]
const OTHERS = [
  ...[
    'tool_read',
    'tool_write',
    'tool_search',
    'tool_bash',
    'tool_process',
    'tool_plan',
    'tool_task',
    'tool_skills',
  ],
  ...['search_grep', 'search_semantic', 'clock', 'metrics', 'hello', 'amber_self'],
  ...['rehearsal', 'openai', 'local', 'mcp'],
]

async function manifestOf(
  id: string,
): Promise<{ readonly validated: Validated; readonly manifest: Manifest }> {
  const validated = await validateFolder(join(PLUGINS, id), version)
  assert.deepEqual(validated.diagnostics, [])
  assert.ok(validated.manifest)
  return { validated, manifest: validated.manifest }
}

/** What a manifest declares, as the ledger names it. */
function declaredBy(manifest: Manifest): readonly string[] {
  return KIND_ORDER.flatMap((kind) => KINDS[kind].declare(manifest).map(({ name }) => `${kind}:${name}`))
}

function stand(t: TestContext): TestHost {
  const host = createTestHost()
  atEnd(t, () => host.dispose())
  return host
}

test('SET-1 the nine providers are there', () => {
  assert.deepEqual(
    PROVIDERS.filter((id) => !bundled.includes(id)),
    [],
  )
})

test('SET-1 so are all the others', () => {
  assert.deepEqual(
    OTHERS.filter((id) => !bundled.includes(id)),
    [],
  )
})

for (const id of bundled) {
  test(`SET-1 ${id} passes the validation that a third party's plugin meets, with no warning`, async () => {
    const { manifest } = await manifestOf(id)
    assert.equal(manifest.id, id)
    for (const tool of manifest.capabilities.tools) {
      assert.ok(tool.description.length >= 10, `${tool.name} says what it does`)
    }
    assert.ok(existsSync(join(PLUGINS, id, 'README.md')), 'it has a README')
    if (manifest.entry?.endsWith('.ts')) {
      assert.ok(await typesAreCurrent(join(PLUGINS, id), manifest), 'amber plugin types is up to date')
    }
  })

  test(`SET-1 ${id} works in the testing kit, and is removed without a trace`, async (t) => {
    const { manifest } = await manifestOf(id)
    const host = stand(t)
    const { state } = await host.install(join(PLUGINS, id))
    assert.equal(state, 'active')
    const entries = host.ledger()
    assert.deepEqual(
      entries.map(({ kind, name }) => `${kind}:${name}`),
      declaredBy(manifest),
    )
    for (const { kind, name, status, reason } of entries) {
      // The kit lacks services that a running amber has; without them a contribution may decline, saying why (LED-3).
      const may = status === 'installed' || (status === 'declined' && reason)
      assert.ok(may, `${kind}:${name} is ${status}: ${reason}`)
    }
    await host.promptBlocks()
    assert.deepEqual(
      host.diagnostics().filter(({ severity }) => severity === 'error'),
      [],
    )
    await host.assertCleanRemoval()
    assert.deepEqual(host.ledger(), [])
  })
}

test('SET-1 all of them together leave nothing behind, either', async (t) => {
  const host = stand(t)
  for (const id of bundled) await host.install(join(PLUGINS, id))
  const failed = host.ledger().filter(({ status }) => status === 'failed')
  assert.deepEqual(failed, [], 'no name of one is a name of another')
  await host.assertCleanRemoval()
  assert.deepEqual(host.ledger(), [])
})
