import assert from 'node:assert/strict'
import test from 'node:test'
import { handMadeCommand } from '../support/hand-made.ts'
import { assertScreen, openTestScreen } from '../support/test-screen.ts'
import { until } from '../support/until.ts'

const weather = (children: Record<string, { help: string; choices?: string[] }>) =>
  new Map([
    [
      'weather',
      handMadeCommand(
        'weather',
        { help: 'Weather', man: 'Usage: /weather now <city>', children },
        {
          now: ({ text }) => `Sunny in ${text}.`,
        },
      ),
    ],
  ])
const NOW = { now: { help: 'The weather now' } }
const ALL = {
  ...NOW,
  next: { help: 'What comes next' },
  units: { help: 'metric | imperial', choices: ['metric', 'imperial'] },
}

test('CMD-6 the drawer opens on a slash, filters as one types, and completes with Tab', async () => {
  const shown = await openTestScreen({ width: 90, height: 24, snapshot: { commands: weather(ALL) } })
  shown.press('/weather n')
  await assertScreen(shown, 'drawer-90')
  shown.press('\x1b[B', '\x1b[B')
  assert.match(await shown.text(), /❯ \/weather next/, 'the chosen one is shown ahead')
  shown.press('\t')
  assert.equal(shown.conversation.editor.draft().text, '/weather next ')
  shown.press('\x15', '/wea', '\t', 'u', '\t', 'i', '\t')
  assert.equal(shown.conversation.editor.draft().text, '/weather units imperial ')
  await shown.close()
})

test('CMD-6 a swapped plugin is in an open drawer at once', async () => {
  const shown = await openTestScreen({ snapshot: { commands: weather(NOW) } })
  shown.press('/weather ')
  assert.doesNotMatch(await shown.text(), /What comes next/)
  shown.setSnapshot({ commands: weather(ALL) })
  assert.match(await shown.text(), /next {2,}What comes next/)
  shown.setSnapshot({})
  assert.doesNotMatch(await shown.text(), /The weather now/)
  await shown.close()
})

test('? after a blank opens the page of the path so far, at any depth; Esc closes it', async () => {
  const shown = await openTestScreen({ snapshot: { commands: weather(ALL) } })
  shown.press('/weather ', '?')
  assert.match(await shown.text(), /Usage: \/weather now <city>/)
  assert.equal(shown.conversation.editor.draft().text, '/weather ')
  shown.press('units ', '?')
  assert.match(await shown.text(), /One of: metric \| imperial/)
  shown.press('\x1b')
  await until(async () => !/One of:/.test(await shown.text()), 'Esc closes the page')
  shown.press('x?')
  assert.equal(shown.conversation.editor.draft().text, '/weather units x?', 'elsewhere it is a letter')
  await shown.close()
})

test('CMD-2 CMD-3 Enter runs the line, and what the command says is shown', async () => {
  const shown = await openTestScreen({ snapshot: { commands: weather(ALL) } })
  shown.press('/weather now Paris\r')
  assert.match(await shown.text(), /❯ \/weather now Paris\n {2}Sunny in Paris\./)
  shown.press('/weather next\r')
  assert.match(await shown.text(), /Nothing is bound to \/weather next/)
  assert.deepEqual(shown.prompts, [])
  await shown.close()
})

test('CMD-1 where a number is wanted the drawer says which, and names are found by any part of them', async () => {
  const shown = await openTestScreen({ height: 14 })
  shown.press('/set policy timeout ')
  assert.match(await shown.text(), /Takes a whole number from 0 to 86400/)
  shown.press('\x15', '/set default timeout')
  assert.match(await shown.text(), /approval\.timeoutSeconds/)
  shown.press('\t')
  assert.match(await shown.text(), /\/set default approval\.timeoutSeconds/)
  await shown.close()
})

test('CMD-6 ? opens the page when it comes together with what stands before it, and is a letter elsewhere', async () => {
  const shown = await openTestScreen({ height: 20 })
  shown.press('/set policy ?')
  assert.match(await shown.text(), /What the model may do[\s\S]*esc closes/)
  shown.press('\x03', 'why?')
  assert.match(await shown.text(), /❯ why\?/)
  await shown.close()
})

test('CMD-2 an answer that is longer than the screen is read from its beginning', async () => {
  const shown = await openTestScreen({ height: 16 })
  shown.press('/set conf \r')
  await shown.pass(100)
  assert.match(await shown.text(), /❯ \/set conf\n[\s\S]*Usage: \/set config/)
  shown.press('\x1b[1;2F')
  assert.doesNotMatch(await shown.text(), /Usage: \/set config/)
  await shown.close()
})
