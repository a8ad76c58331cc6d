import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import test from 'node:test'
import { amberArguments, environment, startAmber } from '../support/amber-process.ts'
import { atEnd } from '../support/at-end.ts'
import { answeringEntry, answeringPlugin } from '../support/plugin-folder.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test('DEV-1 amber dev --json prints one object a line, swaps on save, serves its interface, and Ctrl-C ends it with 0', async (t) => {
  const home = temporaryFolder(t)
  const plugin = answeringPlugin(temporaryFolder(t), 'weather', 'one')
  const amber = startAmber(['dev', plugin.folder, '--json'], { home })
  atEnd(t, () => amber.kill('SIGKILL'))
  await amber.sees('"ready"')
  const [name = ''] = readdirSync(join(home, 'state', 'dev'))
  plugin.write('index.ts', answeringEntry('weather', 'two'))
  await amber.sees('"generation":2')
  plugin.write('index.ts', 'export default definePlugin(')
  await amber.sees('"rejected"')
  amber.kill('SIGINT')
  const { code, out, err } = await amber.finished
  assert.equal(code, 0, err)
  assert.equal(err, '')
  const events = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual(
    events.map((one) => one.type),
    ['swap', 'ready', 'swap', 'rejected'],
  )
  assert.match(events[1].url, /^http:\/\/127\.0\.0\.1:\d+\/#token=/)
  assert.equal(existsSync(join(home, 'state', 'dev', name)), false)
})

test('DEV-1 amber dev for people: the heading with the address, one line a swap, no colour in a pipe', async (t) => {
  const home = temporaryFolder(t)
  const plugin = answeringPlugin(temporaryFolder(t), 'weather', 'one')
  const amber = startAmber(['dev', plugin.folder], { home })
  atEnd(t, () => amber.kill('SIGKILL'))
  await amber.sees('amber dev · 1 plugin · inspector http://127.0.0.1:')
  await amber.sees('gen 1')
  amber.kill('SIGTERM')
  const { code, out } = await amber.finished
  assert.equal(code, 0)
  assert.doesNotMatch(out, /\x1b/)
})

test('DEV-1 what cannot be watched or listened on ends at once, in two lines, with its exit code', async (t) => {
  const home = temporaryFolder(t)
  const plugin = answeringPlugin(temporaryFolder(t), 'weather', 'one')
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  atEnd(t, () => taken.close())
  const address = taken.address()
  const port = typeof address === 'object' && address !== null ? String(address.port) : ''
  const cases = [
    [['dev', join(home, 'nowhere')], 3, /no folder/],
    [['dev', plugin.folder, '--port', 'x'], 2, /port/],
    [['dev', plugin.folder, '--port', '70000'], 2, /port/],
    [['dev', plugin.folder, '--port', port], 1, /Port \d+ is taken/],
  ] as const
  for (const [argv, expected, message] of cases) {
    const { code, err } = await startAmber(argv, { home }).finished
    assert.equal(code, expected, err)
    assert.match(err, message)
    assert.equal(err.trim().split('\n').length, 2, err)
  }
})

test('H2 amber dev ends quietly when its reader has gone', async (t) => {
  const home = temporaryFolder(t)
  const plugin = answeringPlugin(temporaryFolder(t), 'weather', 'one')
  const child = spawn(process.execPath, [...amberArguments, 'dev', plugin.folder, '--json'], {
    env: environment(home),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  atEnd(t, () => child.kill('SIGKILL'))
  let err = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    err += text
  })
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve))
  let out = ''
  await new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text) => {
      out += text
      if (out.includes('"ready"')) resolve()
    })
  })
  child.stdout.destroy()
  plugin.write('index.ts', answeringEntry('weather', 'two'))
  assert.equal(await ended, 0)
  assert.equal(err, '')
})

test('SWAP-1 --dev watches in the very process of any run and lets it end', async (t) => {
  const home = temporaryFolder(t)
  const plugin = answeringPlugin(temporaryFolder(t), 'weather', 'one')
  const { code, out, err } = await startAmber(['command', 'help', '--dev', '--plugin', plugin.folder], {
    home,
  }).finished
  assert.equal(code, 0, err)
  assert.match(out, /help/)
})
