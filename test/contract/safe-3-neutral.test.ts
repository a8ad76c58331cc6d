import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createShellFixture } from '../support/shell-fixture.ts'

/** Git as a test itself uses it: with no configuration but the repository's. */
function git(root: string, ...args: readonly string[]): void {
  const env = {
    PATH: process.env.PATH,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@b.c',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@b.c',
  }
  execFileSync('git', args, { cwd: root, env, stdio: 'ignore' })
}

/** Everything by which a repository can make git run a program of its own; each leaves the file `ran`. */
const TRAPS: readonly (readonly [key: string, value: string])[] = [
  ['core.fsmonitor', './trap'],
  ['core.hooksPath', './hooks'],
  ['core.pager', './trap'],
  ['pager.log', './trap'],
  ['diff.external', './trap'],
  ['diff.evil.command', './trap'],
  ['diff.evil.textconv', './trap'],
  ['filter.evil.clean', './trap'],
  ['filter.evil.process', './trap'],
  ['filter.evil.required', 'true'],
  ['gpg.program', './trap'],
  ['log.showSignature', 'true'],
  ['core.sshCommand', './trap'],
  ['core.editor', './trap'],
  ['alias.st', '!./trap'],
  ['credential.helper', './trap'],
]

const COMMANDS = [
  'git status',
  'git diff',
  'git diff HEAD',
  'git log -p',
  'git log --format=%s',
  'git show',
  'git blame f.txt',
  'git grep a',
  'git ls-files -m',
  'git describe --always --dirty',
  'git stash list',
  'git diff-index -p HEAD',
  'cd sub && git status && git diff && cd ..',
  'git -C sub status',
  'git status > out.txt',
]

test('SAFE-3 of what runs unasked, no program that a repository names is run', async (t) => {
  const { root, shell, run } = await createShellFixture(t)
  git(root, 'init', '-q')
  writeFileSync(join(root, '.gitattributes'), '*.txt diff=evil filter=evil\n')
  writeFileSync(join(root, 'f.txt'), 'a\n')
  mkdirSync(join(root, 'sub'))
  writeFileSync(join(root, 'sub', 'g.txt'), 'a\n')
  git(root, 'add', '.')
  git(root, 'commit', '-q', '-m', 'first')
  writeFileSync(join(root, 'trap'), `#!/bin/sh\ntouch ${root}/ran\ncat 2>/dev/null\n`)
  chmodSync(join(root, 'trap'), 0o755)
  mkdirSync(join(root, 'hooks'))
  for (const hook of ['post-index-change', 'fsmonitor-watchman', 'pre-commit', 'reference-transaction']) {
    writeFileSync(join(root, 'hooks', hook), `#!/bin/sh\ntouch ${root}/ran\n`, { mode: 0o755 })
  }
  for (const [key, value] of TRAPS) git(root, 'config', key, value)
  for (const command of COMMANDS) {
    // Changed anew, so that git has to look at the content.
    writeFileSync(join(root, 'f.txt'), `a ${command}\n`)
    writeFileSync(join(root, 'sub', 'g.txt'), `a ${command}\n`)
    rmSync(join(root, 'ran'), { force: true })
    assert.equal((await shell.judge(command)).needsApproval, false, command)
    const result = await run(command)
    assert.equal(result.exitCode, 0, `${command}: ${result.output}`)
    assert.equal(existsSync(join(root, 'ran')), false, `${command} ran the trap: ${result.output}`)
  }
  await run('git -c core.pager=cat -c core.fsmonitor= diff').catch(() => undefined)
  assert.equal(existsSync(join(root, 'ran')), true, 'the traps work where the user allowed a command')
})

test('SAFE-3 git add runs nothing that a repository names either; where it names a filter, it asks', async (t) => {
  const { root, shell, run } = await createShellFixture(t)
  git(root, 'init', '-q')
  writeFileSync(join(root, '.gitattributes'), '*.txt filter=evil\n')
  writeFileSync(join(root, 'f.txt'), 'a\n')
  writeFileSync(join(root, 'trap'), `#!/bin/sh\ntouch ${root}/ran\ncat\n`)
  chmodSync(join(root, 'trap'), 0o755)
  mkdirSync(join(root, 'hooks'))
  git(root, 'config', 'core.fsmonitor', './trap')
  git(root, 'config', 'core.editor', './trap')
  assert.equal((await shell.judge('git add .')).needsApproval, false)
  for (const command of ['git add .', 'git -C . add f.txt', 'git add -A && git status', 'git add -e']) {
    await run(command)
    assert.equal(existsSync(join(root, 'ran')), false, command)
  }
  git(root, 'config', 'filter.evil.clean', './trap')
  const judged = await shell.judge('git add f.txt')
  assert.deepEqual(
    [judged.needsApproval, judged.reason],
    [true, 'unknown (git add, through a filter that the repository names)'],
  )
  assert.equal((await shell.judge('git status && git add f.txt')).needsApproval, true)
  assert.equal((await shell.judge('git status')).needsApproval, false)
  assert.equal((await shell.judge('git -C /etc add f')).needsApproval, true)
})

test('SAFE-3 a repository whose files are configured to be elsewhere asks', async (t) => {
  const { root, shell } = await createShellFixture(t)
  git(root, 'init', '-q')
  assert.equal((await shell.judge('git grep root')).needsApproval, false)
  git(root, 'config', 'core.worktree', '/etc')
  const judged = await shell.judge('git grep root')
  assert.equal(judged.effect, 'outside')
  assert.deepEqual(judged.scopes, ['git grep root'])
})

test('SAFE-3 a bare repository among the files of a clone is not taken for one', async (t) => {
  const { root, run } = await createShellFixture(t, { 'bare/HEAD': 'ref: refs/heads/main\n' })
  mkdirSync(join(root, 'bare', 'objects'))
  mkdirSync(join(root, 'bare', 'refs'))
  writeFileSync(join(root, 'bare', 'config'), `[core]\nbare = true\nfsmonitor = "touch ${root}/ran"\n`)
  const result = await run('cd bare && git status')
  assert.notEqual(result.exitCode, 0)
  assert.equal(existsSync(join(root, 'ran')), false)
})

test('SAFE-3 programs and settings of the workspace decide nothing of what runs unasked', async (t) => {
  const entries = { 'bin/ls': '#!/bin/sh\ntouch ran\n', 'bash-env': 'touch ran\n', 'f.txt': 'found\n' }
  const { root, run } = await createShellFixture(t, entries, (folder) => ({
    PATH: `${join(folder, 'bin')}:.:bin:${process.env.PATH}`,
    BASH_ENV: join(folder, 'bash-env'),
    ENV: join(folder, 'bash-env'),
    'BASH_FUNC_cat%%': '() { touch ran; }',
    SHELLOPTS: 'xtrace',
    PS4: '$(touch ran)',
    CDPATH: '/etc',
    RIPGREP_CONFIG_PATH: join(folder, 'rgrc'),
    GIT_EXTERNAL_DIFF: './x',
  }))
  chmodSync(join(root, 'bin', 'ls'), 0o755)
  const listed = await run('ls; cat f.txt; echo "[$BASH_ENV$RIPGREP_CONFIG_PATH$GIT_EXTERNAL_DIFF$CDPATH]"')
  assert.match(listed.output, /^bash-env\nbin\nf\.txt\nfound\n\[\]\n$/)
  assert.equal(existsSync(join(root, 'ran')), false)
})
