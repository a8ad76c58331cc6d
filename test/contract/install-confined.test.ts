import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { Header, type HeaderData } from 'tar'
import { AmberError } from '../../host/base/errors.ts'
import { createIntake, MOST_BYTES } from '../../host/cli/plugin/install/bounds.ts'
import { copyFolder } from '../../host/cli/plugin/install/copy-folder.ts'
import { readSpec, specText } from '../../host/cli/plugin/install/spec.ts'
import { unpack } from '../../host/cli/plugin/install/unpack.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

interface Entry extends Partial<Omit<HeaderData, 'size'>> {
  readonly path: string
  readonly body?: string
  /** What the header says of the size; that of the body unless said. */
  readonly size?: number
}

/** An archive with exactly these headers, as no honest program would write it. */
function archiveOf(t: TestContext, entries: readonly Entry[]): string {
  const blocks = entries.flatMap(({ body = '', ...fields }) => {
    const header = new Header({ mode: 0o644, type: 'File', size: Buffer.byteLength(body), ...fields })
    header.encode()
    const padded = Buffer.alloc(Math.ceil(Buffer.byteLength(body) / 512) * 512)
    padded.write(body)
    return [header.block ?? Buffer.alloc(512), padded]
  })
  const file = join(temporaryFolder(t), 'plugin.tgz')
  writeFileSync(file, gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)])))
  return file
}

const refusal = (pattern: RegExp) => (error: unknown) =>
  error instanceof AmberError && error.code === 'failed' && pattern.test(error.message)

test('SAFE-1 an archive is unpacked into its folder, and modes are plain', async (t) => {
  const into = temporaryFolder(t)
  const archive = archiveOf(t, [
    { path: 'package/plugin.json', body: '{}' },
    { path: 'package/bin/run', body: 'x', mode: 0o4755 },
  ])
  await unpack(archive, into)
  assert.equal(readFileSync(join(into, 'package/plugin.json'), 'utf8'), '{}')
  assert.equal(statSync(join(into, 'package/bin/run')).mode & 0o7777, 0o755)
})

test('SAFE-1 an archive that leads out, links or holds devices is refused, and nothing lies outside', async (t) => {
  const outside = temporaryFolder(t)
  const wicked: readonly Entry[] = [
    { path: '../escaped', body: 'x' },
    { path: 'package/../../escaped', body: 'x' },
    { path: join(outside, 'escaped'), body: 'x' },
    { path: 'C:/escaped', body: 'x' },
    { path: 'package\\..\\..\\escaped', body: 'x' },
    { path: 'package/link', type: 'SymbolicLink', linkpath: outside },
    { path: 'package/link', type: 'SymbolicLink', linkpath: 'plugin.json' },
    { path: 'package/hard', type: 'Link', linkpath: '/etc/passwd' },
    { path: 'package/device', type: 'CharacterDevice' },
    { path: 'package/pipe', type: 'FIFO' },
  ]
  for (const entry of wicked) {
    const parent = temporaryFolder(t)
    const into = join(parent, 'into')
    mkdirSync(into)
    const archive = archiveOf(t, [entry, { path: 'package/link/escaped', body: 'x' }])
    await assert.rejects(unpack(archive, into), refusal(/leads out|link or a device/), JSON.stringify(entry))
    assert.deepEqual(readdirSync(parent), ['into'])
    assert.deepEqual(readdirSync(outside), [])
  }
})

test('SAFE-1 an archive that holds too much is refused before it is unpacked in full', async (t) => {
  const many = Array.from({ length: 6 }, (_, at) => ({ path: `package/${at}`, body: '' }))
  const few = createIntake({ files: 5, bytes: MOST_BYTES })
  await assert.rejects(unpack(archiveOf(t, many), temporaryFolder(t), few), refusal(/more than 5 files/))
  const huge = archiveOf(t, [{ path: 'package/huge', body: 'x', size: 2 ** 31 }])
  await assert.rejects(unpack(huge, temporaryFolder(t)), refusal(/more than 100 MB/))
})

test('SAFE-1 a cut or foreign archive is an error that names it', async (t) => {
  const archive = archiveOf(t, [{ path: 'package/plugin.json', body: '{}' }])
  const whole = readFileSync(archive)
  for (const bytes of [whole.subarray(0, whole.length / 2), Buffer.from('no archive'), Buffer.alloc(0)]) {
    writeFileSync(archive, bytes)
    await assert.rejects(unpack(archive, temporaryFolder(t)), refusal(/plugin\.tgz cannot be unpacked/))
  }
})

test('SAFE-1 a folder is copied without its dependencies; links inside become files, links out are refused', async (t) => {
  const from = temporaryFolder(t)
  const into = temporaryFolder(t)
  mkdirSync(join(from, 'node_modules', 'x'), { recursive: true })
  mkdirSync(join(from, '.git'))
  writeFileSync(join(from, 'plugin.json'), '{}')
  symlinkSync('plugin.json', join(from, 'same.json'))
  await copyFolder(from, into)
  assert.deepEqual(readdirSync(into).sort(), ['plugin.json', 'same.json'])
  assert.equal(readFileSync(join(into, 'same.json'), 'utf8'), '{}')
  symlinkSync('/etc/passwd', join(from, 'passwords'))
  await assert.rejects(copyFolder(from, temporaryFolder(t)), refusal(/leads out of the folder/))
})

test('SAFE-1 a folder that links to itself ends in a refusal', async (t) => {
  const from = temporaryFolder(t)
  mkdirSync(join(from, 'deeper'))
  symlinkSync('../deeper', join(from, 'deeper', 'again'))
  const into = temporaryFolder(t)
  await assert.rejects(copyFolder(from, into), refusal(/folders deep|characters/))
  assert.ok(existsSync(join(from, 'deeper')))
})

test('CLI-1 a SPEC is read, and written so that it means the same elsewhere', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['./weather', '/home/me/weather'],
    ['weather-0.1.0.tgz', '/home/me/weather-0.1.0.tgz'],
    ['npm:amber-plugin-weather', 'npm:amber-plugin-weather'],
    ['npm:@me/weather@^1.2.0', 'npm:@me/weather@^1.2.0'],
    ['git:https://example.test/me/weather.git#v1.0', 'git:https://example.test/me/weather.git#v1.0'],
    ['git:git@example.test:me/weather.git', 'git:git@example.test:me/weather.git'],
    ['git:./weather', 'git:file:///home/me/weather'],
  ]
  for (const [given, meant] of cases) {
    const spec = readSpec(given, '/home/me')
    assert.equal(specText(spec), meant)
    assert.deepEqual(readSpec(meant, '/elsewhere'), spec)
  }
  const none = [
    '',
    'npm:',
    'npm:..',
    'npm:a b',
    'npm:-g',
    'git:',
    'git:-x',
    'git:https://-x',
    'git:a/b',
    'git:ext::sh -c x',
  ]
  for (const text of [
    ...none,
    'git:https://x.test/y#-b',
    'git:https://x.test/y#a..b',
    'https://x.test/p.tgz',
  ])
    assert.throws(
      () => readSpec(text, '/'),
      (error) => error instanceof AmberError && error.code === 'usage',
      text,
    )
})
