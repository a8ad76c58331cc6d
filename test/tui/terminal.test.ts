import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fit, widthOf } from '../../host/tui/look/text.ts'
import { LEAVE } from '../../host/tui/terminal/modes.ts'
import { toTerminal } from '../../host/tui/terminal/sink.ts'
import { assertScreen, call, openTestScreen } from '../support/test-screen.ts'

/** What a shell must find: no mouse, no paste brackets, no alternate screen, the cursor, the keyboard as it was. */
const RESTORED = ['?1000l', '?1002l', '?1003l', '?1006l', '?2004l', '?1049l', '?25h', '<u', '>4;0m', '?7h']

function assertRestored(bytes: string): void {
  for (const mode of RESTORED) assert.ok(bytes.lastIndexOf(`\x1b[${mode}`) >= 0, mode)
  assert.ok(bytes.endsWith(LEAVE), 'nothing is written after the terminal was given back')
}

test('T5 the terminal is given back after quitting, once', async () => {
  const shown = await openTestScreen()
  await shown.close()
  await shown.close()
  assertRestored(shown.bytes())
  assert.equal(shown.bytes().split('\x1b[?1049l').length, 2)
})

test('T5 a throw in a frame gives the terminal back before anybody hears of it', async () => {
  const shown = await openTestScreen()
  shown.setSnapshot({
    statusSegments: [
      {
        name: 'bad',
        plugin: 'bad',
        priority: 1,
        dropPriority: 0,
        edge: 'left',
        draw: () => undefined,
        render() {
          throw new Error('broken')
        },
      },
    ],
  })
  await shown.pass(100)
  assert.match(String(shown.fatal()), /broken/)
  assertRestored(shown.bytes())
})

test('T5 the end of the process gives the terminal back', async () => {
  const before = new Set(process.listeners('exit'))
  const shown = await openTestScreen()
  const own = process.listeners('exit').filter((one) => !before.has(one))
  assert.equal(own.length, 1)
  own[0]?.call(process, 0)
  assertRestored(shown.bytes())
  assert.equal(process.listeners('exit').length, before.size)
})

test('T7 T8 no name, path, answer, output, error or paste reaches the terminal with its controls', async () => {
  const evil = 'a\x07\x1b[2J\x1b]0;owned\x07\x1b]133;A\x1b\\\u202eevil\x9b31m\x1b[?1049l'
  const shown = await openTestScreen({
    width: 100,
    height: 40,
    deps: { place: evil },
    async script(sink) {
      sink.text(`${evil}\n\n\`\`\`${evil}\n${evil}\n\`\`\`\n[${evil}](http://x/${evil})`)
      const one = call('1', evil, evil, { [evil]: evil })
      sink.toolRequested(one)
      sink.toolProgress?.('1', evil)
      sink.toolCompleted({
        ...one,
        ok: false,
        output: evil,
        durationMs: 1,
        meta: { diff: `@@ -1 +1 @@\n+${evil}`, signal: evil },
      })
      sink.reasoning(evil)
      sink.notice(evil)
      sink.error({ kind: 'server', message: evil, hint: evil })
    },
  })
  shown.conversation.name = evil
  shown.press(`\x1b[200~${evil}\x1b[201~`, '\r')
  await shown.conversation.idle()
  shown.press('\x1bo')
  shown.press(`\x1b[200~${evil}\x1b[201~`)
  await shown.text()
  void shown.screen.dialogs.open<boolean>(
    () => ({ isTimed: false, cancel() {}, input() {}, draw: () => ({ rows: [evil] }) }),
    { otherwise: false },
  )
  await shown.text()
  const painted = shown.bytes()
  const own = /\x1b\[(?:\d+;\d+H|[0-9;]*m|K|2J|\?(?:1049|2004|1007|7|25|2026)[hl]|\?u|H)|\x1b\]11;\?\x07/g
  const [, ...frames] = painted.split('\x1b[?2026h')
  const left = frames.join('').replace(own, '')
  assert.doesNotMatch(left, /[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/)
  assert.ok(!frames.join('').includes('\x1b[?1049l'))
  assert.equal(widthOf(toTerminal('x\x1b]133;A\x1b\\y', 80)), 2)
  await shown.close()
})

test('T1 padding counts cells', () => {
  for (const text of ['💰 漢字 é ❤️', '\x1b[31m💰\x1b[0m 漢字']) {
    assert.equal(widthOf(fit(text, 20)), 20)
    for (let width = 0; width < 12; width += 1) assert.ok(widthOf(fit(text, width)) <= width)
  }
})

test('T3 every size from 1x1 up is drawn without a throw', async () => {
  const shown = await openTestScreen({
    script(sink) {
      sink.text('# Title\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 漢字 | 💰 |\n\n```js\nlet x = 1\n```')
      const one = call('1', 'hacking', 'ls', { command: 'ls' })
      sink.toolRequested(one)
      sink.toolCompleted({ ...one, ok: false, output: 'a\nb\nc\nd\ne', durationMs: 1 })
    },
  })
  shown.press('go\r')
  await shown.conversation.idle()
  shown.press('\x1bo', '/h')
  for (let height = 1; height <= 4; height += 1) {
    for (let width = 1; width <= 12; width += 1) {
      shown.resize(width, height)
      await shown.text()
    }
  }
  shown.press('\x1b0')
  shown.resize(3, 2)
  await shown.text()
  assert.equal(shown.fatal(), undefined)
  await shown.close()
})

test('T11 a storm of resizes ends in the very same screen as the size at once', async () => {
  const script = async (
    sink: Parameters<NonNullable<Parameters<typeof openTestScreen>[0]>['script'] & object>[0],
  ) => {
    sink.text(
      Array.from({ length: 40 }, (_, at) => `word ${at} and some more of it to wrap at the edge`).join(
        '\n\n',
      ),
    )
  }
  const shown = await openTestScreen({ width: 80, height: 24, script })
  shown.press('go\r')
  await shown.conversation.idle()
  for (let at = 0; at < 40; at += 1) shown.resize(20 + ((at * 37) % 90), 5 + ((at * 13) % 30))
  shown.resize(70, 20)
  const stormed = await shown.text()
  await shown.close()
  const calm = await openTestScreen({ width: 70, height: 20, script })
  calm.press('go\r')
  await calm.conversation.idle()
  assert.equal(stormed, await calm.text())
  await calm.close()
})

test('T9 leaving right after a frame was asked for shows the cursor, and paints no more', async () => {
  const shown = await openTestScreen()
  shown.screen.changed()
  await shown.close()
  await shown.pass(100)
  assertRestored(shown.bytes())
})

test('T10 what is typed into a screen that ends is swallowed', async () => {
  const shown = await openTestScreen()
  const closing = shown.screen.close()
  shown.press('rm -rf /\r')
  await closing
  assert.deepEqual(shown.prompts, [])
  assert.equal(shown.conversation.editor.draft().text, '')
})

test('a screen that nothing happens on paints nothing and runs no timer', async () => {
  const shown = await openTestScreen()
  await wait(5)
  await shown.text()
  const before = shown.bytes()
  await shown.pass(600_000)
  assert.equal(shown.bytes(), before)
  assert.equal(shown.clock.pending(), 0)
  await shown.close()
})

test('without UTF-8 and colour everything still reads', async () => {
  const shown = await openTestScreen({
    width: 72,
    height: 20,
    env: { LANG: 'C', NO_COLOR: '1' },
    script(sink) {
      const one = call('1', 'writing', 'a.ts')
      sink.toolRequested(one)
      sink.toolCompleted({ ...one, ok: true, output: '', durationMs: 5, meta: { added: 1, removed: 2 } })
      sink.text('It is **done**.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> quoted')
    },
  })
  shown.press('do it\r')
  await shown.conversation.idle()
  await assertScreen(shown, 'ascii-72')
  assert.doesNotMatch(shown.bytes(), /\x1b\[[0-9;]*(3[0-7]|38;5|38;2)[0-9;]*m/)
  assert.doesNotMatch(await shown.text(), /[^\x00-\x7f]/)
  await shown.close()
})

test('bundled-plugins 8: what the settings say of Markdown and plain characters holds in the open screen at once', async () => {
  const shown = await openTestScreen({
    script: (sink) => sink.text('It is **done**.\n\n| a | b |\n|---|---|\n| 1 | 2 |'),
  })
  shown.press('do it\r')
  await shown.conversation.idle()
  assert.match(await shown.text(), /It is done\.[\s\S]*│/)
  shown.screen.setShown({ markdown: true, isAscii: true })
  assert.doesNotMatch(await shown.text(), /[^\x00-\x7f]/)
  shown.screen.setShown({ markdown: false, isAscii: true })
  assert.match(await shown.text(), /It is \*\*done\*\*\./)
  shown.screen.setShown({ markdown: true, isAscii: false })
  assert.match(await shown.text(), /It is done\.[\s\S]*│/)
  await shown.close()
})

test('a light ground gets other colours than a dark one, in as many colours as there are', async () => {
  const colours = async (env: Record<string, string>, answer = '') => {
    const shown = await openTestScreen({ env })
    shown.press(answer, '/')
    await shown.text()
    const found = shown
      .bytes()
      .slice(shown.bytes().lastIndexOf('\x1b[2J'))
      .match(/\x1b\[(38;[25];[0-9;]+|3\d)m/)?.[1]
    await shown.close()
    return found
  }
  assert.match((await colours({ TERM: 'xterm' })) ?? '', /^3\d$/)
  const dark = await colours({})
  assert.match(dark ?? '', /^38;5;/)
  const light = await colours({}, '\x1b]11;rgb:ffff/ffff/ffff\x07')
  assert.notEqual(light, dark)
  assert.match((await colours({ COLORTERM: 'truecolor' })) ?? '', /^38;2;/)
})
