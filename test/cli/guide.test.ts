import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { amberArguments, environment } from '../support/amber-process.ts'
import { commandsOf, filesOf, guidePage, guidePages, writePage } from '../support/guide.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Runs a line as it stands in the guide, in a folder; `amber dev` until it is ready. */
function runLine(line: string, at: { readonly cwd: string; readonly home: string }): Promise<string> {
  const [program, ...argv] = line.split(' ')
  assert.equal(program, 'amber', `${line}: only amber's own commands are run`)
  const child = spawn(process.execPath, [...amberArguments, ...argv], {
    cwd: at.cwd,
    env: environment(at.home),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const take = (text: Buffer) => {
    output += text
    if (argv[0] === 'dev' && output.includes('gen 1')) child.kill('SIGINT')
  }
  child.stdout.on('data', take)
  child.stderr.on('data', take)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve(output)
      else reject(new Error(`${line}: exit code ${code}\n${output}`))
    })
  })
}

function stand(t: TestContext) {
  const cwd = temporaryFolder(t)
  const home = join(cwd, '.home')
  mkdirSync(home)
  return { cwd, home }
}

test('NEW-1 the README takes an author from nothing to a plugin that others install, line by line', async (t) => {
  const at = stand(t)
  const page = guidePage('README')
  const [first = '', ...rest] = commandsOf(page)
  await runLine(first, at)
  writePage(page, at.cwd)
  const said = new Map<string, string>()
  for (const line of rest) said.set(line, await runLine(line, at))
  assert.match(said.get('amber plugin types rain --check') ?? '', /No type error/)
  assert.match(said.get('amber plugin test rain') ?? '', /ℹ fail 0/)
  assert.equal(said.get('amber command rain litres 80 12 --plugin rain'), '864 litres\n')
  assert.ok(existsSync(join(at.cwd, 'rain', 'dist', 'index.js')))
})

test('NEW-1 the commands of the guide’s pages work in the folder of their plugin', async (t) => {
  for (const page of guidePages()) {
    if (page.name === 'README') continue
    const commands = commandsOf(page)
    if (commands.length === 0) continue
    const at = stand(t)
    const folder = writePage(page, at.cwd) ?? at.cwd
    for (const line of commands) await runLine(line, { ...at, cwd: folder })
    const file = filesOf(page).get('config/providers/acme.json')
    if (file === undefined) continue
    const stored = JSON.parse(readFileSync(join(at.home, 'config', 'providers', 'acme.json'), 'utf8'))
    assert.deepEqual(stored, JSON.parse(file))
  }
})
