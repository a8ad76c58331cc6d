import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { findFolders } from '../../devserver/index.ts'
import { testDevServer } from '../support/dev-server.ts'
import { answeringPlugin } from '../support/plugin-folder.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

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
