import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { hasLiving } from '../../host/workspace/process/living.ts'
import { createShellFixture } from '../support/shell-fixture.ts'
import { until } from '../support/until.ts'
import { within } from '../support/within.ts'

/** The process group that a command said it runs in, by the number it printed first. */
const groupOf = (output: string) => Number(/\d+/.exec(output)?.[0])

for (const [what, command] of [
  ['holds the pipe', 'sleep 30 & echo hi'],
  ['prints on and on', '(while :; do echo x; sleep 0.02; done) & echo hi'],
  ['has closed the pipe', 'sleep 30 >/dev/null 2>&1 & echo hi'],
] as const) {
  test(`B1 a command ends when it ends, though a child in the background ${what}`, async (t) => {
    const { run } = await createShellFixture(t)
    await within(1_000, async () => {
      const result = await run(command)
      assert.match(result.output, /hi\n/)
      assert.equal(result.exitCode, 0)
      assert.match(result.notices.join(), /still runs; it ends with amber/)
    })
  })
}

test('B1 what was left behind ends when it may live no longer', async (t) => {
  const { shell } = await createShellFixture(t)
  const until = new AbortController()
  const signal = new AbortController().signal
  const result = await shell.run(
    { command: 'echo $$; sleep 30 &', idleSeconds: 9, until: until.signal },
    { signal },
  )
  const group = groupOf(result.output)
  assert.equal(hasLiving(group), true)
  until.abort()
  await gone(group)
})

/** Waits until a group has no process left. */
const gone = (group: number) => until(() => !hasLiving(group), `group ${group} ends`)

test('B3 a time-out ends every process of a pipeline', async (t) => {
  const { run } = await createShellFixture(t)
  const result = await run('echo $$; sleep 99 | cat', { idleSeconds: 0.3 })
  assert.equal(result.end, 'idle')
  await gone(groupOf(result.output))
})

test('B3 output keeps an idle time-out away', async (t) => {
  const { run } = await createShellFixture(t)
  const result = await run('for i in 1 2 3 4 5; do echo $i; sleep 0.15; done', { idleSeconds: 0.5 })
  assert.equal(result.end, 'exited')
  assert.equal(result.output, '1\n2\n3\n4\n5\n')
})

test('B4 whoever reads the input finds its end at once, in the background too', async (t) => {
  const { run } = await createShellFixture(t)
  await within(1_500, async () => {
    const result = await run('cat; read x; echo "read $?"; grep foo; cat & wait; echo done')
    assert.match(result.output, /read 1\n.*done\n/s)
  })
})

test('B5 no terminal, editor, pager or question: what needs one fails at once', async (t) => {
  const { run } = await createShellFixture(t)
  await within(5_000, async () => {
    const result = await run(
      'git init -q . && git config user.email a@b.c && git config user.name a; git commit --allow-empty; echo "commit $?"; git commit -q --allow-empty -m x && git log; (echo x >/dev/tty) 2>&1; echo "tty $?"; sudo -k true; tty',
    )
    assert.match(result.output, /commit 1\n/)
    assert.match(result.output, /\n {4}x\n/, 'the log came without a pager')
    assert.match(result.output, /tty 1\n/)
    assert.match(result.output, /not a tty/)
  })
})

test('B6 of hundreds of megabytes the head and the tail are kept, and memory stays flat', async (t) => {
  const { run } = await createShellFixture(t)
  const before = process.memoryUsage().rss
  const result = await run('echo first; yes 0123456789 | head -c 200000000; echo; echo last')
  assert.equal(result.outputBytes, 200_000_012)
  assert.ok(result.output.startsWith('first\n0123456789\n'))
  assert.ok(result.output.endsWith('\nlast\n'))
  assert.match(result.output, /\[… \d+ bytes were left out …\]/)
  assert.ok(Buffer.byteLength(result.output) < 65_536)
  assert.ok(process.memoryUsage().rss - before < 120_000_000, 'memory grew')
})

test('B7 no output is too long for the end of a command', async (t) => {
  const { run } = await createShellFixture(t)
  const result = await run('head -c 300000000 /dev/zero')
  assert.equal(result.exitCode, 0)
  assert.equal(result.outputBytes, 300_000_000)
  assert.ok(Buffer.byteLength(result.output) < 65_536)
})

test('B8 binary output is replaced, and counted', async (t) => {
  const { run } = await createShellFixture(t)
  const result = await run("printf 'a\\xff\\xfe\\x00b'; printf '\\xef\\xbf\\xbd'")
  assert.equal(result.output, 'a\ufffd\ufffd\u2400b\ufffd')
  assert.equal(result.replaced, 3, 'the last one was printed as it is')
  assert.equal(result.outputBytes, 8)
  const binary = await run('cat /bin/sh')
  assert.equal(binary.exitCode, 0)
  assert.ok(Buffer.byteLength(binary.output) < 65_536)
})

test('B9 a character cut in two by a slow writer arrives whole', async (t) => {
  const { run } = await createShellFixture(t)
  assert.equal((await run("printf '\\xc3'; sleep 0.1; printf '\\xa9\\n'")).output, 'é\n')
})

test('B10 a folder that a command removed under itself is no matter for the next', async (t) => {
  const { root, run } = await createShellFixture(t)
  assert.equal((await run('mkdir d; cd d && rmdir ../d; echo gone')).output, 'gone\n')
  assert.equal((await run('pwd')).output, `${root}\n`)
})

test('B11 a cancelled command is dead within half a second, though it will not hear of ending', async (t) => {
  const { shell } = await createShellFixture(t)
  for (const command of ['sleep 60', 'trap "" TERM; sleep 60 & sleep 60', 'sleep 60 | cat']) {
    await within(500, async (begin) => {
      const cancel = new AbortController()
      let started = (_line: string) => {}
      const running = shell.run(
        { command: `echo $$; ${command}`, idleSeconds: 30 },
        { signal: cancel.signal, onLine: (line) => started(line) },
      )
      const line = await new Promise<string>((resolve) => {
        started = resolve
      })
      begin()
      cancel.abort()
      await gone(groupOf(line))
      assert.equal((await running).end, 'cancelled')
    })
  }
})

test('B11 a call that is cancelled before it starts runs nothing', async (t) => {
  const { root, run } = await createShellFixture(t)
  const result = await run('touch started', { signal: AbortSignal.abort() })
  assert.equal(result.end, 'cancelled')
  assert.equal(existsSync(join(root, 'started')), false)
})

test('B1 both outputs come in order, and can be opened by name', async (t) => {
  const { root, run } = await createShellFixture(t)
  const result = await run('echo a; echo b >&2; echo c > /dev/stderr; echo d | tee /dev/stdout file; exit 3')
  assert.equal(result.output, 'a\nb\nc\nd\nd\n')
  assert.equal(result.exitCode, 3)
  assert.equal(readFileSync(join(root, 'file'), 'utf8'), 'd\n')
  assert.deepEqual(
    [(await run('kill -9 $$')).signal, (await run('no_such_command')).exitCode],
    ['SIGKILL', 127],
  )
})
