import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { openHistory } from '../../host/tui/index.ts'
import { listFiles } from '../../host/workspace/list-files.ts'
import { openTestScreen } from '../support/test-screen.ts'

test('T4 a bracketed paste is one draft, however its bytes are cut', async () => {
  const paste = '\x1b[200~a\nb\nESC[31m\x1b[201~'
  for (let cut = 1; cut < paste.length; cut += 1) {
    const shown = await openTestScreen()
    shown.press(paste.slice(0, cut), paste.slice(cut))
    assert.equal(shown.conversation.editor.draft().text, 'a\nb\nESC[31m', `cut at ${cut}`)
    assert.deepEqual(shown.prompts, [])
    await shown.screen.giveBack()
  }
})

test('T4 a burst of lines without brackets is one draft, and one line with Enter is sent', async () => {
  const shown = await openTestScreen()
  shown.press('one\rtwo\rthree\r')
  assert.equal(shown.conversation.editor.draft().text, 'one\ntwo\nthree')
  assert.deepEqual(shown.prompts, [])
  shown.press('\r', 'single\r')
  await shown.conversation.idle()
  assert.deepEqual(shown.prompts, ['one\ntwo\nthree', 'single'])
  await shown.close()
})

test('T13 a paste of thirty lines with tabs and escapes reaches the model as it was', async () => {
  const text = Array.from({ length: 30 }, (_, at) => `\tline ${at} \x1b[31mred\x1b[0m \u0007 é 漢`).join('\n')
  const shown = await openTestScreen()
  shown.press(`\x1b[200~${text}\x1b[201~`)
  assert.doesNotMatch((await shown.text()).replaceAll('\n', ''), /\x1b|\x07/)
  shown.press('\r')
  await shown.conversation.idle()
  assert.deepEqual(shown.prompts, [text])
  await shown.close()
})

test('readline keys edit, undo and yank', async () => {
  const shown = await openTestScreen()
  const draft = () => shown.conversation.editor.draft()
  shown.press('hello brave world')
  shown.press('\x17')
  assert.equal(draft().text, 'hello brave ')
  shown.press('\x01', '\x0b')
  assert.equal(draft().text, '')
  shown.press('\x19')
  assert.equal(draft().text, 'hello brave ')
  shown.press('\x1bb', '\x1bd')
  assert.equal(draft().text, 'hello  ')
  shown.press('\x1f')
  assert.equal(draft().text, 'hello brave ')
  shown.press('\x05', '\x7f', '!', '\x01', '\x1b[C', 'é')
  assert.equal(draft().text, 'héello brave!')
  shown.press('\x14')
  assert.equal(draft().text, 'heéllo brave!')
  shown.press('\n', 'x', '\x1b[A', '\x01', '> ')
  assert.equal(draft().text, '> heé\nxllo brave!')
  await shown.close()
})

test('T1 wide and joined characters: the cursor stands where the next one goes', async () => {
  const shown = await openTestScreen()
  const start = await shown.cursor()
  shown.press('💰漢字 é ❤️')
  const end = await shown.cursor()
  assert.equal(end.column - start.column, 2 + 4 + 1 + 1 + 1 + 2)
  assert.match(await shown.text(), /💰漢字 é ❤️/)
  shown.press('\x7f', '\x7f', '\x7f')
  assert.equal(shown.conversation.editor.draft().text, '💰漢字 ', 'a joined character goes whole')
  await shown.close()
})

test('a draft of many lines keeps its cursor in view and its newlines', async () => {
  const shown = await openTestScreen({ height: 24 })
  shown.press(`\x1b[200~${Array.from({ length: 40 }, (_, at) => `row ${at}`).join('\n')}\x1b[201~`)
  const text = await shown.text()
  assert.match(text, /row 39/)
  assert.doesNotMatch(text, /row 20\n/)
  const { row } = await shown.cursor()
  assert.match((await shown.rows())[row] ?? '', /row 39/)
  await shown.close()
})

test('history is there again in the next run, in a file that only the user may read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'amber-history-'))
  try {
    const file = join(folder, 'state', 'history.jsonl')
    const first = await openHistory(file)
    first.add('one')
    first.add('two\nlines')
    first.add('two\nlines')
    await first.saved()
    assert.equal((await stat(file)).mode & 0o777, 0o600)
    assert.equal((await readFile(file, 'utf8')).split('\n').length, 3)
    await writeFile(file, `${await readFile(file, 'utf8')}{"not": "a string"}\nhalf a li`)
    const again = await openHistory(file)
    assert.deepEqual(again.entries, ['one', 'two\nlines'])
    const shown = await openTestScreen({ deps: { history: again } })
    shown.press('dra', '\x1b[A')
    assert.equal(shown.conversation.editor.draft().text, 'two\nlines')
    shown.press('\x10', '\x0e', '\x0e')
    assert.equal(shown.conversation.editor.draft().text, 'dra', 'the draft is kept below the newest')
    await shown.close()
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('@ completes files of the workspace, without what .gitignore leaves out', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'amber-files-'))
  try {
    await mkdir(join(folder, 'src', 'deep'), { recursive: true })
    await mkdir(join(folder, 'dist'))
    await mkdir(join(folder, 'node_modules'))
    await writeFile(join(folder, '.gitignore'), 'dist/\n*.log\n')
    await writeFile(join(folder, 'src', '.gitignore'), '!keep.log\nsecret.ts\n')
    for (const name of [
      'src/total.ts',
      'src/secret.ts',
      'src/keep.log',
      'src/deep/a.log',
      'dist/out.js',
      'node_modules/x.js',
    ])
      await writeFile(join(folder, name), '')
    const files = await listFiles(folder)
    assert.deepEqual([...files].sort(), ['.gitignore', 'src/.gitignore', 'src/keep.log', 'src/total.ts'])
    const shown = await openTestScreen({ deps: { listFiles: async () => files } })
    shown.press('look at @')
    assert.match(await shown.text(), /src\/total\.ts/)
    shown.press('tot', '\t', 'please')
    assert.equal(shown.conversation.editor.draft().text, 'look at @src/total.ts please')
    await shown.close()
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('T13 a megabyte is pasted, edited, sent exactly and shown folded, and no key waits for it', async () => {
  const lines = `${'漢字 text\twith tab and e\u0301 💰\n'.repeat(30_000)}the end`
  for (const pasted of [lines, 'x'.repeat(1_000_000)]) {
    const shown = await openTestScreen({ width: 60, height: 16 })
    const reads = `\x1b[200~${pasted}\x1b[201~`.match(/[\s\S]{1,4095}/g) ?? []
    const started = process.cpuUsage()
    shown.press(...reads)
    for (const letter of ' and more') shown.press(letter)
    shown.press('\x17', '\x17', 'again')
    for (let at = 0; at < 20; at += 1) shown.press('\x1b[A')
    shown.press('\x1b[1;5F')
    const spent = process.cpuUsage(started)
    assert.ok(
      spent.user + spent.system < 4_000_000,
      `${(spent.user + spent.system) / 1000} ms of the processor`,
    )
    assert.match(await shown.text(), /again/)
    shown.press('\r')
    await shown.conversation.idle()
    assert.equal(shown.prompts[0], `${pasted} again`)
    assert.match(await shown.text(), /… \d+ more (lines|characters) \(enter unfolds\)/)
    await shown.close()
  }
})

test('T3 a draft of many lines keeps the cursor in view, whatever is above and below it', async () => {
  const shown = await openTestScreen({ width: 40, height: 15 })
  shown.press(`\x1b[200~${Array.from({ length: 5000 }, (_, at) => `line ${at}`).join('\n')}\x1b[201~`)
  assert.match(await shown.text(), /line 4999$/)
  for (let at = 0; at < 2500; at += 1) shown.press('\x1b[A')
  const rows = await shown.rows()
  const { row } = await shown.cursor()
  assert.match(rows[row] ?? '', /line 2499$/)
  shown.press('\x1b[1;5H')
  assert.match(await shown.text(), /❯ line 0\n/)
  await shown.close()
})

test('interfaces 2: a file that a prompt names goes with it, and the screen says which', async () => {
  const shown = await openTestScreen()
  const sent: unknown[] = []
  const { agent } = shown.conversation
  shown.conversation.agent = {
    ...agent,
    attach: async (prompt) => ({
      text: `${prompt}\n\n<file path="a.txt">\nalpha\n</file>`,
      images: [{ mimeType: 'image/png', base64: 'aGk=' }],
      files: ['a.txt', 'shot.png'],
      notices: ['@b.txt was left as it is: no such file'],
    }),
    turn(prompt, how) {
      sent.push([prompt, how.images])
      return agent.turn(prompt, how)
    },
  }
  shown.press('see @a.txt @shot.png @b.txt', '\r')
  await shown.conversation.idle()
  assert.deepEqual(sent, [
    [
      'see @a.txt @shot.png @b.txt\n\n<file path="a.txt">\nalpha\n</file>',
      [{ mimeType: 'image/png', base64: 'aGk=' }],
    ],
  ])
  const text = await shown.text()
  assert.match(
    text,
    /see @a\.txt @shot\.png @b\.txt\n+ +with a\.txt, shot\.png\n+ +@b\.txt was left as it is/,
  )
  assert.doesNotMatch(text, /alpha/)
  await shown.close()
})
