import assert from 'node:assert/strict'
import test from 'node:test'
import type { ApprovalAnswer, ApprovalRequest } from '../../host/agent/turn.ts'
import { approvalDialog, createPluginUi } from '../../host/tui/index.ts'
import { assertScreen, openTestScreen, type TestScreen } from '../support/test-screen.ts'

const REQUEST: ApprovalRequest = {
  tool: 'bash',
  plugin: 'tool_bash',
  summary: 'git push origin main',
  arguments: { command: 'git push origin main' },
  scopes: ['git push'],
  reason: 'destructive (git push)',
  asker: { turn: 12 },
}

function ask(
  { screen, clock }: TestScreen,
  request = REQUEST,
  signal?: AbortSignal,
): Promise<ApprovalAnswer> {
  return screen.dialogs.open<ApprovalAnswer>(
    (answer) =>
      approvalDialog(request, { place: '~/src/shop', deadline: clock.monotonic() + 60_000 }, answer),
    { otherwise: 'deny', ...(signal === undefined ? {} : { signal }) },
  )
}

test('SAFE-2 an approval shows command, judgement, scope and the time that is left', async () => {
  const shown = await openTestScreen({ width: 100, height: 20 })
  const answer = ask(shown)
  await assertScreen(shown, 'approval-100')
  await shown.pass(2000)
  assert.match(await shown.text(), /denies in 5[678] s/)
  shown.press('o')
  assert.equal(await answer, 'once')
  assert.doesNotMatch(await shown.text(), /wants to run/)
  await shown.close()
})

test('SAFE-2 every choice, the judgement and who asks stand in a narrow dialog too', async () => {
  for (const [width, height] of [
    [80, 24],
    [60, 16],
    [40, 12],
  ] as const) {
    const shown = await openTestScreen({ width, height })
    const answer = ask(shown, {
      ...REQUEST,
      asker: { turn: 3, subagent: 'find every test of the checkout and run it' },
    })
    const text = (await shown.text()).replace(/[│\n]+/g, ' ').replace(/\s+/g, ' ')
    assert.match(text, /judged: destructive \(git push\)/)
    assert.match(text, /asked by the sub-agent "find every test of the checkout and run it" in turn 3/)
    for (const key of ['o', 's', 'a', 'd', 'n']) assert.ok(text.includes(`[${key}]`), `${key} at ${width}`)
    assert.match(text, /denies in \d+ s/)
    await assertScreen(shown, `approval-${width}`)
    shown.press('d')
    await answer
    await shown.close()
  }
})

test('SAFE-2 each key is an answer, and Esc is no', async () => {
  const shown = await openTestScreen()
  for (const [key, expected] of [
    ['o', 'once'],
    ['s', 'session'],
    ['a', 'always'],
    ['d', 'deny'],
    ['n', 'never'],
    ['\x03', 'deny'],
  ] as const) {
    await shown.pass(2000)
    const answer = ask(shown)
    shown.press(key)
    assert.equal(await answer, expected)
  }
  await shown.close()
})

test('SAFE-2 what is typed into the draft as a question appears does not answer it', async () => {
  const shown = await openTestScreen()
  await shown.pass(5000)
  shown.press('do')
  const answer = ask(shown)
  shown.press('o')
  assert.match(await shown.text(), /wants to run/)
  await shown.pass(600)
  shown.press('d')
  assert.equal(await answer, 'deny')
  await shown.close()
})

test('a question waits for the one before it, and one that is moot is never shown', async () => {
  const shown = await openTestScreen({ height: 20 })
  const moot = new AbortController()
  const first = ask(shown)
  const second = ask(shown, { ...REQUEST, tool: 'second' }, moot.signal)
  const third = ask(shown, { ...REQUEST, tool: 'third' })
  assert.match(await shown.text(), /bash wants to run/)
  assert.doesNotMatch(await shown.text(), /second|third/)
  moot.abort()
  assert.equal(await second, 'deny')
  shown.press('o')
  assert.equal(await first, 'once')
  assert.match(await shown.text(), /third wants to run/)
  shown.press('s')
  assert.equal(await third, 'session')
  await shown.close()
})

test('a question whose screen goes away is answered no', async () => {
  const shown = await openTestScreen()
  const answer = ask(shown)
  await shown.close()
  assert.equal(await answer, 'deny')
})

test('an approval of a change shows the lines that change', async () => {
  const shown = await openTestScreen({ height: 20 })
  const answer = ask(shown, {
    ...REQUEST,
    tool: 'write',
    summary: 'total.ts',
    arguments: { path: 'total.ts', edits: [{ old: 'return 1\n', new: 'return 2\n' }] },
  })
  assert.match(await shown.text(), /- return 1[\s\S]*\+ return 2/)
  shown.press('d')
  await answer
  await shown.close()
})

test('plugins ask through the host: confirm, choose, text and secret, one after another', async () => {
  const shown = await openTestScreen({ height: 20 })
  const ui = createPluginUi(shown.screen.dialogs, { asker: 'plugin weather', notify: () => {} })
  const all = Promise.all([
    ui.confirm('Really?'),
    ui.choose('Which units?', ['metric', 'imperial']),
    ui.askText('Which city?'),
    ui.askSecret('Which key?'),
    ui.confirm('Still there?'),
  ])
  assert.match(await shown.text(), /weather asks[\s\S]*Really\?[\s\S]*\[y\]es/)
  shown.press('y')
  assert.match(await shown.text(), /Which units\?[\s\S]*1 {2}metric/)
  shown.press('\x1b[B', '\r')
  shown.press('Paris')
  assert.match(await shown.text(), /Which city\?\s+│\n│ ❯ Paris/)
  shown.press('\r')
  shown.press('\x1b[200~s3cret\x1b[201~')
  const secret = await shown.text()
  assert.match(secret, /❯ \*{8} /)
  assert.ok(!shown.bytes().includes('s3cret'))
  shown.press('\r', '\x03')
  assert.deepEqual(await all, [true, 'imperial', 'Paris', 's3cret', false])
  await shown.close()
})
