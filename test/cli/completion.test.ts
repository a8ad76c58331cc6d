import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { startAmber } from '../support/amber-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** What bash offers after the words, the last of which is being written. */
function offered(script: string, words: readonly string[]): readonly string[] {
  const list = ['amber', ...words].map((word) => `'${word}'`).join(' ')
  const probe = `source '${script}'; COMP_WORDS=(${list}); COMP_CWORD=${words.length}; _amber; printf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync('bash', ['-c', probe], { encoding: 'utf8' }).trim().split('\n')
}

test('CLI-1 amber completion prints a script that bash completes commands, options and choices from', async (t) => {
  const home = temporaryFolder(t)
  const { code, out } = await startAmber(['completion', 'bash'], { home }).finished
  assert.equal(code, 0)
  const script = join(home, 'completion.bash')
  writeFileSync(script, out)
  assert.ok(offered(script, ['']).includes('plugin'))
  assert.deepEqual(offered(script, ['plugin', 'val']), ['validate'])
  assert.ok(offered(script, ['plugin', 'list', '--']).includes('--json'))
  assert.deepEqual(offered(script, ['--mode', 'y']), ['yolo'])
  assert.ok(offered(script, ['--mode', 'read', 'provider', '']).includes('list'))
})

test('CLI-1 zsh and fish get scripts of their own, and another shell an error that names them', async (t) => {
  const home = temporaryFolder(t)
  for (const shell of ['zsh', 'fish']) {
    const { code, out } = await startAmber(['completion', shell], { home }).finished
    assert.equal(code, 0)
    assert.match(out, /validate/)
    if (spawnSync(shell, ['-c', 'true']).error) continue
    assert.equal(spawnSync(shell, ['-n'], { input: out }).status, 0)
  }
  const wrong = await startAmber(['completion', 'bsh'], { home }).finished
  assert.equal(wrong.code, 2)
  assert.match(wrong.err, /bash/)
})
