import assert from 'node:assert/strict'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createFileChoices } from '../../host/app/file-choices.ts'
import { fileCommands } from '../../host/app/file-commands.ts'
import { listFiles } from '../../host/workspace/list-files.ts'
import { createWorkspaceService } from '../../host/workspace/workspace-service.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

function filesOf(t: TestContext) {
  const workspace = join(temporaryFolder(t), 'shop')
  mkdirSync(join(workspace, 'src', 'deep'), { recursive: true })
  writeFileSync(join(workspace, '.gitignore'), '*.log\n')
  writeFileSync(join(workspace, 'src', 'total.ts'), 'const a = 1\nconst b = 2\n')
  writeFileSync(join(workspace, 'src', 'deep', 'x.ts'), '')
  writeFileSync(join(workspace, 'noise.log'), '')
  writeFileSync(join(workspace, 'photo.png'), Buffer.from([137, 80, 0, 1]))
  writeFileSync(join(workspace, 'long.txt'), 'a line\n'.repeat(1000))
  writeFileSync(join(workspace, 'evil\x1b[2J.txt'), '')
  symlinkSync('/etc', join(workspace, 'out'))
  const commands = fileCommands({
    workspace: createWorkspaceService({ workspace }),
    files: () => listFiles(workspace),
  })
  const run = async (path: string, text = '') =>
    String(await commands.get(path)?.({ text, words: [], signal: new AbortController().signal }))
  return { workspace, run }
}

test('bundled-plugins 8: /files lists, draws, opens and finds, without what .gitignore leaves out', async (t) => {
  const { run } = filesOf(t)
  assert.match(await run('files.ls'), /^src\/\n[\s\S]*noise\.log[\s\S]*out@/)
  assert.equal(await run('files.ls', 'src'), 'deep/\ntotal.ts')
  assert.match(
    await run('files.tree'),
    /^\.\/\n {2}src\/\n {4}deep\/\n {6}x\.ts\n {4}total\.ts\n {2}\.gitignore\n/,
  )
  assert.equal(await run('files.tree', 'src/deep'), 'src/deep/\n  x.ts')
  assert.equal(await run('files.open', 'src/total.ts'), '1  const a = 1\n2  const b = 2')
  assert.match(await run('files.open', 'long.txt'), /400 {2}a line\n… the first 400 lines of 7000 bytes$/)
  assert.equal(await run('files.find', 'TOTAL'), 'src/total.ts')
  assert.ok(!(await run('files.ls')).includes('\x1b'))
  await assert.rejects(run('files.find', 'noise'), /No file is called like noise/)
  await assert.rejects(run('files.open', 'photo.png'), /is no text/)
})

test('SAFE-1 /files goes nowhere outside of the workspace', async (t) => {
  const { run } = filesOf(t)
  for (const path of ['../..', '/etc/passwd', 'out/passwd'])
    await assert.rejects(run('files.open', path), /outside the workspace/)
  await assert.rejects(run('files.ls', 'out'), /outside the workspace/)
})

test('files are at hand for completion once they were listed, and are listed again after a while', async () => {
  const clock = createManualClock()
  let now: readonly string[] = ['a']
  const choices = createFileChoices(async () => now, clock)
  assert.deepEqual(choices.known(), [])
  assert.equal(await choices.refresh(), true)
  assert.deepEqual(choices.known(), ['a'])
  now = ['a', 'b']
  assert.equal(await choices.refresh(), false, 'that was just done')
  clock.advance(5000)
  assert.equal(await choices.refresh(), true)
  clock.advance(5000)
  assert.equal(await choices.refresh(), false, 'they are the same')
})
