import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { findFolders } from '../../devserver/index.ts'
import { testDevServer } from '../support/dev-server.ts'
import { answeringEntry, answeringPlugin } from '../support/plugin-folder.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { testApp } from '../support/test-app.ts'

test('W12 links that lead round in a circle, or nowhere, do not end watching', async (t) => {
  const folder = temporaryFolder(t)
  symlinkSync('loop1', join(folder, 'loop1'))
  symlinkSync('b', join(folder, 'a'))
  symlinkSync('a', join(folder, 'b'))
  symlinkSync('nowhere', join(folder, 'dangling'))
  mkdirSync(join(folder, 'p'))
  symlinkSync('plugin.json', join(folder, 'p', 'plugin.json'))
  const dev = await testDevServer(t, { folders: [folder] })
  answeringPlugin(folder, 'late', 'one')
  await dev.swap('late')
  assert.equal(await dev.call('late'), 'one')
  answeringPlugin(folder, 'late', 'two')
  await dev.swap('late')
  assert.equal(await dev.call('late'), 'two')
})

test('DEV-2 a folder with nothing in it says so, and takes in what comes', async (t) => {
  const folder = temporaryFolder(t)
  const dev = await testDevServer(t, { folders: [folder] })
  const said = dev.events.find((event) => event.type === 'warning')
  assert.match(said?.type === 'warning' ? said.message : '', /no plugin in .* yet.*amber new plugin/)
  answeringPlugin(folder, 'late', 'one')
  await dev.swap('late')
})

test('DEV-2 a folder that is none, leads round in a circle or is closed is refused', (t) => {
  const folder = temporaryFolder(t)
  const find = (name: string) => () => findFolders({ given: [name], cwd: folder, workspace: folder })
  symlinkSync('loop', join(folder, 'loop'))
  assert.throws(find('absent'), /There is no folder/)
  assert.throws(find('loop'), /cannot be looked into \(ELOOP\)/)
  if (process.getuid?.() === 0) return
  mkdirSync(join(folder, 'closed'))
  chmodSync(join(folder, 'closed'), 0)
  assert.throws(find('closed'), /cannot be looked into \(EACCES\)/)
})

test('LED-5 of two given folders with one id the one saved last answers, and the other is told of at its line', async (t) => {
  const parent = temporaryFolder(t)
  const first = answeringPlugin(join(parent, 'a'), 'twice', 'first')
  const second = answeringPlugin(join(parent, 'b'), 'twice', 'second')
  const dev = await testDevServer(t, { folders: [first.folder, second.folder] })
  await dev.server.idle()
  const answer = await dev.call('twice')
  const [loser, winner] = answer === 'second' ? [first, second] : [second, first]
  const places = dev.events.flatMap((one) =>
    one.type === 'warning' && one.diagnostic ? [one.diagnostic] : [],
  )
  assert.deepEqual(
    places.map(({ file, line }) => `${file}:${line}`),
    [`${loser.folder}/plugin.json:3`],
  )
  loser.write('index.ts', answeringEntry('twice', 'saved'))
  const place = `${winner.folder}/plugin.json:3:`
  const event = await dev.next(
    'other folder',
    (one) => one.type === 'warning' && one.message.startsWith(place),
  )
  assert.match(
    event.type === 'warning' ? event.message : '',
    /the id "twice" is already that of the flag plugin in .*not used.*another id/,
  )
  await dev.server.idle()
  assert.equal(await dev.call('twice'), 'saved')
})

test('LED-5 touching a file of the other folder saves nothing, so the folder saved last goes on answering', async (t) => {
  const parent = temporaryFolder(t)
  const first = answeringPlugin(join(parent, 'a'), 'twice', 'first')
  const second = answeringPlugin(join(parent, 'b'), 'twice', 'second')
  const app = await testApp(t, { home: parent })
  await app.plugins.offer(first.folder, 'flag')
  const call = async () => (await app.callTool('twice', {}, {})).output
  assert.equal(await call(), 'first')
  await app.plugins.offer(second.folder, 'flag')
  assert.equal(await call(), 'second')
  assert.equal((await app.plugins.offer(first.folder, 'flag')).kind, 'unchanged')
  assert.equal(await call(), 'second')
  first.write('index.ts', answeringEntry('twice', 'saved'))
  await app.plugins.offer(first.folder, 'flag')
  assert.equal(await call(), 'saved')
  second.write('index.ts', answeringEntry('twice', 'again'))
  await app.plugins.offer(second.folder, 'flag')
  assert.equal(await call(), 'again')
  assert.equal((await app.plugins.offer(first.folder, 'flag')).kind, 'unchanged')
  await app.plugins.remove('twice')
  await app.plugins.swap('twice')
  assert.equal(await call(), 'saved')
})

test('SWAP-8 a folder that goes is no failure to write its types', async (t) => {
  const parent = temporaryFolder(t)
  const plugin = answeringPlugin(parent, 'leaving', 'x')
  const dev = await testDevServer(t, { folders: [plugin.folder] })
  plugin.write('tsconfig.json', '{ "compilerOptions": { "noEmit": true, "types": [] }, "files": [] }')
  await dev.server.idle()
  plugin.remove()
  await dev.next('removal', (one) => one.type === 'removed')
  await dev.server.idle()
  const warnings = dev.events.filter(
    (one) => one.type === 'warning' && /could not be written/.test(one.message),
  )
  assert.deepEqual(warnings, [])
})
