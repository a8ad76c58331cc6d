import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../../host/base/clock.ts'
import { AmberError } from '../../host/base/errors.ts'
import { findInstallation } from '../../host/base/installation.ts'
import type { CliContext } from '../../host/cli/context.ts'
import { templateKinds } from '../../host/cli/new/template.ts'
import { run as runNew } from '../../host/cli/new.ts'
import { typesAreCurrent } from '../../host/plugin/author-files.ts'
import { KIND_ORDER } from '../../host/registry/kinds.ts'
import { createTestHost } from '../../host/testing/index.ts'
import { readManifest } from '../../manifests/read-manifest.ts'
import { atEnd } from '../support/at-end.ts'
import { createFakeIo, type FakeIo } from '../support/fake-io.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const installation = findInstallation(import.meta.url)
const templates = fileURLToPath(new URL('../../templates', import.meta.url))
const allKinds = await templateKinds(templates)

interface Stand {
  readonly cwd: string
  readonly io: FakeIo
  readonly context: CliContext
}

/** An empty folder outside the repository, and no way out of it. */
function stand(t: TestContext, options: Parameters<typeof createFakeIo>[0] = {}): Stand {
  const cwd = temporaryFolder(t)
  const env = { PATH: process.env.PATH, AMBER_HOME: join(cwd, 'home'), npm_config_offline: 'true' }
  const io = createFakeIo({ cwd, env, ...options })
  const context: CliContext = {
    io,
    installation,
    clock: systemClock,
    createApp: () => Promise.reject(new Error('no app is needed')),
    global: { plugin: [], without: [], plugins: true, session: true },
  }
  return { cwd, io, context }
}

async function scaffold({ context, io, cwd }: Stand, options: Parameters<typeof runNew>[0]): Promise<string> {
  assert.equal(await runNew(options, context), 0, io.stderr())
  return join(cwd, options.dir ?? options.id ?? '')
}

/** Loads a folder in a host, and gives what it contributes. */
async function contributionsOf(t: TestContext, folder: string): Promise<readonly string[]> {
  const host = createTestHost()
  atEnd(t, () => host.dispose())
  await host.install(folder)
  const entries = host.ledger().map((one) => `${one.kind}:${one.name} ${one.status}`)
  await host.assertCleanRemoval()
  return entries
}

/** The kind of capability that a template declares. */
function declaredBy(template: string): string | undefined {
  if (template === 'dialect') return 'provider'
  if (template === 'tool-group') return 'tool'
  return KIND_ORDER.find((kind) => kind.toLowerCase() === template.replace('-', ''))
}

test('NEW-1 there is a template of every kind, and each makes a plugin that loads by itself', async (t) => {
  const spelled = allKinds.map((kind) => kind.replace(/-(\w)/g, (_, letter) => letter.toUpperCase()))
  assert.deepEqual(spelled, [...KIND_ORDER, 'dialect', 'toolGroup'])
  const at = stand(t)
  for (const kind of allKinds) {
    for (const js of [false, true]) {
      const dir = `${kind}-${js ? 'js' : 'ts'}`
      const folder = await scaffold(at, { id: 'weather', kind: kind, dir, js })
      const entries = await contributionsOf(t, folder)
      assert.ok(
        entries.some((one) => one.startsWith(`${declaredBy(kind)}:`)),
        `${kind}: ${entries}`,
      )
      assert.ok(entries.every((one) => one.endsWith(' installed')))
    }
  }
})

test('NEW-1 it writes manifest, entry, test, README, tsconfig, .gitignore, types and link, and nothing else', async (t) => {
  const at = stand(t)
  const folder = await scaffold(at, { id: 'weather', kind: 'tool,command' })
  assert.deepEqual(readdirSync(folder).sort(), [
    '.gitignore',
    'README.md',
    'index.ts',
    'node_modules',
    'plugin.json',
    'plugin.types.ts',
    'tsconfig.json',
    'weather.test.ts',
  ])
  assert.deepEqual(readdirSync(join(folder, 'node_modules')), ['amber-agent'])
  assert.equal(readlinkSync(join(folder, 'node_modules', 'amber-agent')), realpathSync(installation.folder))
  assert.equal(readFileSync(join(folder, '.gitignore'), 'utf8'), 'node_modules/\ndist/\n*.tgz\n')
  const manifest = JSON.parse(readFileSync(join(folder, 'plugin.json'), 'utf8'))
  assert.ok(existsSync(join(folder, manifest.$schema)))
  assert.deepEqual([manifest.id, manifest.name], ['weather', 'Weather'])
  assert.deepEqual(Object.keys(manifest.capabilities), ['tools', 'commands'])
  for (const name of readdirSync(folder)) {
    if (name === 'node_modules') continue
    assert.doesNotMatch(readFileSync(join(folder, name), 'utf8'), /template/i, name)
  }
  assert.match(at.io.stdout(), /Next:\n {2}amber plugin test weather\n {2}amber dev weather\n$/)
})

test('NEW-1 a folder that is not empty is refused, and nothing is written', async (t) => {
  const at = stand(t)
  await scaffold(at, { id: 'weather' })
  const before = readFileSync(join(at.cwd, 'weather', 'plugin.json'), 'utf8')
  await assert.rejects(
    runNew({ id: 'weather', kind: 'command' }, at.context),
    (error) => error instanceof AmberError && error.code === 'failed' && /not empty/.test(error.message),
  )
  assert.equal(readFileSync(join(at.cwd, 'weather', 'plugin.json'), 'utf8'), before)
})

test('NEW-1 an id that is none is wrong usage, with the rule and a suggestion', async (t) => {
  const at = stand(t)
  const suggestions: readonly (readonly [string, string])[] = [
    ['My-Plugin', 'my_plugin'],
    ['./tools/WeatherNow', 'weather_now'],
    ['42', 'my_plugin'],
    ['7zip', 'zip'],
    ['wëather', 'weather'],
  ]
  for (const [id, suggestion] of suggestions) {
    await assert.rejects(
      runNew({ id }, at.context),
      (error) =>
        error instanceof AmberError &&
        error.code === 'usage' &&
        /lower-case letters, digits and _/.test(error.message) &&
        error.hint.endsWith(suggestion),
      id,
    )
  }
  assert.deepEqual(readdirSync(at.cwd), [])
})

test('NEW-1 an unknown kind is wrong usage, and the nearest is named', async (t) => {
  const at = stand(t)
  await assert.rejects(
    runNew({ id: 'weather', kind: 'tool,comand' }, at.context),
    (error) => error instanceof AmberError && error.code === 'usage' && /command/.test(error.hint),
  )
})

test('NEW-1 a name that amber or a shipped plugin has is refused before anything is written', async (t) => {
  const at = stand(t)
  await assert.rejects(runNew({ id: 'read', kind: 'tool' }, at.context), /tool read is already.*tool_read/)
  await assert.rejects(runNew({ id: 'help', kind: 'command' }, at.context), /command help is already.*amber/)
  assert.deepEqual(readdirSync(at.cwd), [])
})

test('NEW-1 without a terminal nothing is asked; the id must be said', async (t) => {
  const at = stand(t)
  await assert.rejects(
    runNew({}, at.context),
    (error) => error instanceof AmberError && error.code === 'usage' && /amber new plugin/.test(error.hint),
  )
})

test('NEW-1 on a terminal what is missing is asked for, until it is right', async (t) => {
  const asked: string[] = []
  const answers = ['Bad Id', 'weather', 'comand', 'command']
  const at = stand(t, {
    terminal: true,
    onWrite(text) {
      if (!/(Id of the plugin|What it contributes).*: $/.test(text)) return
      asked.push(text)
      setImmediate(() => at.io.input.write(`${answers[asked.length - 1]}\n`))
    },
  })
  const folder = await scaffold(at, { dir: 'weather' })
  assert.equal(asked.length, 4)
  assert.deepEqual(await contributionsOf(t, folder), ['command:weather installed'])
})

test('NEW-1 the templates stay in step: valid without a warning, types current', async () => {
  for (const kind of allKinds) {
    const folder = join(templates, kind)
    const file = join(folder, 'plugin.json')
    const { manifest, diagnostics } = await readManifest(readFileSync(file, 'utf8'), file, {
      amberVersion: installation.version,
    })
    assert.deepEqual(diagnostics, [])
    assert.ok(manifest && (await typesAreCurrent(folder, manifest)), `${kind}: amber plugin types ${folder}`)
  }
})
