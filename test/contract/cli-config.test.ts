import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { systemClock } from '../../host/base/clock.ts'
import { createConfigStore } from '../../host/base/config.ts'
import { runProgram } from '../../host/cli/program.ts'
import { createFakeApps } from '../support/fake-app.ts'
import { createFakeIo } from '../support/fake-io.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** `amber config …` in a home of its own. */
function inHome(t: TestContext) {
  const home = temporaryFolder(t)
  return {
    file: join(home, 'config', 'config.json'),
    folder: join(home, 'config'),
    async amber(...argv: readonly string[]) {
      const io = createFakeIo({ env: { AMBER_HOME: home } })
      const code = await runProgram(argv, {
        io,
        clock: systemClock,
        installation: { folder: '/nonexistent', version: '1.2.3' },
        createApp: createFakeApps().create,
      })
      return { code, out: io.stdout(), err: io.stderr() }
    },
  }
}

test('CLI-1 config set and get keep text, numbers and truths by the schema', async (t) => {
  const { amber, file } = inHome(t)
  for (const [key, value] of [
    ['model', '5'],
    ['maxTurns', '7'],
    ['display.markdown', 'false'],
    ['provider', 'openrouter'],
  ] as const) {
    assert.deepEqual(await amber('config', 'set', key, value), { code: 0, out: '', err: '' })
  }
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), {
    model: '5',
    maxTurns: 7,
    display: { markdown: false },
    provider: 'openrouter',
  })
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.equal((await amber('config', 'get', 'model')).out, '5\n')
  assert.equal((await amber('config', 'get', 'model', '--json')).out, '"5"\n')
  assert.equal((await amber('config', 'get', 'display.markdown')).out, 'false\n')
  assert.match((await amber('config', 'get')).out, /^provider = "openrouter"\nmodel = "5"\nmaxTurns = 7\n/)
  assert.equal(JSON.parse((await amber('config', 'get', '--json')).out).maxTurns, 7)
  assert.equal((await amber('config', 'set', 'model', 'null')).code, 0)
  assert.equal((await amber('config', 'get', 'model')).code, 1)
})

test('CLI-1 config refuses what the schema does not know, and changes nothing then', async (t) => {
  const { amber, file } = inHome(t)
  assert.equal((await amber('config', 'get', 'model')).code, 1)
  assert.deepEqual((await amber('config', 'get', '--json')).out, '{}\n')
  const unknown = await amber('config', 'set', 'modle', 'x')
  assert.deepEqual(
    [unknown.code, unknown.err],
    [1, 'error: There is no setting modle.\nDid you mean model or mode?\n'],
  )
  for (const [key, value] of [
    ['mode', 'god'],
    ['maxTurns', '0'],
    ['maxTurns', 'many'],
    ['__proto__.x', '1'],
  ] as const) {
    assert.equal((await amber('config', 'set', key, value)).code, 1, key)
  }
  assert.throws(() => statSync(file), /ENOENT/)
})

test('CLI-1 an invalid config.json is a configuration error that names the file (exit 3)', async (t) => {
  const { amber, file, folder } = inHome(t)
  mkdirSync(folder)
  for (const text of ['{', '[]', '{"mode": "god"}', '{"mdoe": "read"}']) {
    writeFileSync(file, text)
    for (const argv of [
      ['config', 'get'],
      ['run', 'x', '--output', 'json'],
    ]) {
      const { code, out, err } = await amber(...argv)
      assert.equal(code, 3, text)
      assert.ok((out + err).includes(file), out + err)
    }
  }
})

test('CLI-1 mode and maxTurns of the settings hold where the command line says nothing', async (t) => {
  const { amber } = inHome(t)
  await amber('config', 'set', 'maxTurns', '1')
  const { out } = await amber('run', 'x', '--output', 'json')
  assert.equal(JSON.parse(out).text, 'Hello.')
})

test('N6 many at once lose no key and leave whole JSON', async (t) => {
  const folder = temporaryFolder(t)
  const stores = [createConfigStore(folder, systemClock), createConfigStore(folder, systemClock)]
  await Promise.all(
    stores.flatMap((store, index) =>
      Array.from({ length: 10 }, (_, n) =>
        store.set(index === 0 ? 'maxTurns' : 'contextWindow', String(index === 0 ? n + 1 : 1000 + n)),
      ),
    ),
  )
  const config = await createConfigStore(folder, systemClock).read()
  assert.ok(config.maxTurns !== undefined && config.contextWindow !== undefined)
})

test('N6 a lock whose process is gone is taken over', async (t) => {
  const folder = temporaryFolder(t)
  const lock = join(folder, 'config.json.lock')
  // No process has this number: it is above the highest that Linux gives.
  writeFileSync(lock, '4194305')
  await createConfigStore(folder, systemClock).set('model', 'x')
  assert.throws(() => statSync(lock), /ENOENT/)
})
