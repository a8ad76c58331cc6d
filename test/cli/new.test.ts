import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { templateKinds } from '../../host/cli/new/template.ts'
import { type Finished, startAmber } from '../support/amber-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const allKinds = await templateKinds(fileURLToPath(new URL('../../templates', import.meta.url)))
/** Kinds done another way take the place of the plain ones. */
const variants = ['dialect', 'tool-group']
const everyKind = allKinds.filter((kind) => !variants.includes(kind)).join(',')

/** An amber in an empty home outside the repository, with no way out to a registry. */
function amberIn(home: string) {
  return (...argv: readonly string[]): Promise<Finished> =>
    startAmber(argv, { home, env: { npm_config_offline: 'true' } }).finished
}

/** What NEW-1 promises of a new folder, by the very commands that a person would use. */
async function holdsWhatIsPromised(t: TestContext, id: string, options: readonly string[]): Promise<string> {
  const home = temporaryFolder(t)
  const amber = amberIn(home)
  const folder = join(home, 'a folder', id)
  const done = async (...argv: readonly string[]) => {
    const { code, out, err } = await amber(...argv)
    assert.equal(code, 0, `amber ${argv.join(' ')}\n${out}${err}`)
    return out
  }
  assert.match(await done('new', 'plugin', id, '--dir', folder, ...options), /amber plugin test/)
  assert.match(await done('plugin', 'validate', folder), /no fault\n$/)
  assert.match(await done('plugin', 'types', folder, '--check'), /is up to date\.\nNo type error\.\n$/)
  assert.match(await done('plugin', 'test', folder), /^ℹ fail 0$/m)
  return folder
}

test('NEW-1 a tool in TypeScript validates, type-checks, passes its test and runs in amber dev', async (t) => {
  const folder = await holdsWhatIsPromised(t, 'weather', [])
  const dev = startAmber(['dev', folder, '--json'], { home: temporaryFolder(t) })
  await dev.sees('"ready"')
  dev.kill('SIGINT')
  const { out } = await dev.finished
  const types = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).type)
  assert.ok(!types.includes('rejected'), out)
})

test('NEW-1 a command in JavaScript does, too', async (t) => {
  await holdsWhatIsPromised(t, 'weather', ['--kind', 'command', '--js'])
})

test('NEW-1 all kinds together in one plugin do, in TypeScript', async (t) => {
  await holdsWhatIsPromised(t, 'weather_now', ['--kind', everyKind])
})

test('NEW-1 all kinds together in one plugin do, in JavaScript', async (t) => {
  await holdsWhatIsPromised(t, 'weather_now', ['--kind', everyKind, '--js'])
})

test('NEW-1 kinds done another way do, in JavaScript, in the place of the plain ones', async (t) => {
  await holdsWhatIsPromised(t, 'weather_now', ['--kind', `tool,provider,wallet,${variants}`, '--js'])
})

test('NEW-1 plugin test fails when a test does, plugin types --check when a type is wrong', async (t) => {
  const home = temporaryFolder(t)
  const amber = amberIn(home)
  const folder = join(home, 'weather')
  await amber('new', 'plugin', 'weather', '--dir', folder)
  const edit = (name: string, from: string, to: string) => {
    const text = readFileSync(join(folder, name), 'utf8')
    assert.ok(text.includes(from), name)
    writeFileSync(join(folder, name), text.replace(from, to))
  }
  edit('weather.test.ts', '3 words', '4 words')
  const tested = await amber('plugin', 'test', folder)
  assert.equal(tested.code, 1)
  assert.match(tested.out, /^ℹ fail 1$/m)
  edit('plugin.json', '"string"', '"number"')
  const { code, out } = await amber('plugin', 'types', folder, '--check', '--json')
  const { ok, written, diagnostics } = JSON.parse(out)
  assert.deepEqual([code, ok, written], [1, false, true])
  assert.equal(diagnostics[0].file, join(folder, 'index.ts'))
  assert.match(diagnostics[0].code, /^TS\d+$/)
})

test('CLI-1 new plugin: a folder in use is exit 1, an unknown kind or no id is exit 2', async (t) => {
  const home = temporaryFolder(t)
  const amber = amberIn(home)
  const used = await amber('new', 'plugin', 'weather', '--dir', home)
  assert.equal(used.code, 0)
  const again = await amber('new', 'plugin', 'weather', '--dir', home)
  assert.deepEqual([again.code, again.out], [1, ''])
  const unknown = await amber('new', 'plugin', 'weather', '--kind', 'toool', '--dir', join(home, 'x'))
  assert.equal(unknown.code, 2)
  assert.match(unknown.err, /"toool" is no kind.*\nDid you mean tool\?/)
  assert.equal((await amber('new', 'plugin')).code, 2)
})
