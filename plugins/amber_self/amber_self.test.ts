import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSelfService } from '../../host/app/self-service.ts'
import { systemClock } from '../../host/base/clock.ts'
import { createConfigStore } from '../../host/base/config.ts'
import { readPaths } from '../../host/base/paths.ts'
import { commandTree } from '../../host/command/tree.ts'
import { createTestHost } from '../../host/testing/index.ts'
import { coreTree } from '../../manifests/core-tree.ts'
import { handMadeSnapshot } from '../../test/support/hand-made.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'

test('SET-1 amber-config tells real paths and settings, made when it is read, and never a key', async (t) => {
  const home = temporaryFolder(t)
  const env = { AMBER_HOME: home, ACME_API_KEY: 'sk-very-secret' }
  const paths = readPaths(env, { installation: '/opt/amber', cwd: home })
  const config = createConfigStore(paths.config, systemClock)
  const self = createSelfService({
    paths,
    env,
    config,
    tree: () => commandTree(coreTree(), handMadeSnapshot()),
    keyVariables: () => ['ACME_API_KEY'],
  })
  const host = createTestHost({ services: { self } })
  t.after(() => host.dispose())
  await host.install(import.meta.url)
  const before = await host.readSkill('amber-config')
  assert.ok(before.includes(`${home}/config/config.json`))
  assert.ok(before.includes(`${home}/state/sessions`))
  assert.match(before, /- `model`: /)
  assert.match(before, /- `ACME_API_KEY` \(set\): a provider’s key/)
  assert.match(before, /- `\/set policy mode`: read, write or yolo/)
  assert.doesNotMatch(before, /very-secret/)
  await config.set('model', 'acme-9')
  assert.match(await host.readSkill('amber-config'), /- `model` = "acme-9": /)
})

test('LED-3 amber_self declines where nothing is known, and LED-4 leaves nothing behind', async (t) => {
  const host = createTestHost()
  t.after(() => host.dispose())
  await host.install(import.meta.url)
  await assert.rejects(host.readSkill('amber-config'), /declined|no skill/)
  await host.assertCleanRemoval()
})
