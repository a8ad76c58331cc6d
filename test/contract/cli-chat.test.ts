import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runProgram } from '../../host/cli/program.ts'
import type { CommandNode } from '../../manifests/command-node.ts'
import { createFakeApps, type FakeAppParts } from '../support/fake-app.ts'
import { createFakeIo } from '../support/fake-io.ts'
import { handMadeTool, toolMap } from '../support/hand-made.ts'
import { createManualClock } from '../support/manual-clock.ts'

const core: Readonly<Record<string, CommandNode>> = {
  quit: { help: 'Leave', aliases: ['q'] },
  new: { help: 'Start anew' },
  set: {
    help: 'Set',
    children: {
      policy: {
        help: 'Policy',
        children: { mode: { help: 'Mode', choices: ['read', 'write', 'yolo'] } },
      },
    },
  },
}

/** A conversation on a terminal in memory. */
function converse(parts: FakeAppParts) {
  let seen = ''
  let position = 0
  let wake = () => {}
  const io = createFakeIo({
    terminal: true,
    stdin: 'terminal',
    env: { AMBER_HOME: '/nonexistent/amber' },
    onWrite(text) {
      seen += text
      wake()
    },
  })
  const apps = createFakeApps({ core, ...parts })
  const code = runProgram([], {
    io,
    clock: createManualClock(),
    installation: { folder: '/nonexistent', version: '1.2.3' },
    createApp: apps.create,
  })
  return {
    code,
    apps,
    screen: () => seen,
    /** Waits until a text shows, after the last one waited for. */
    async sees(text: string): Promise<void> {
      while (!seen.includes(text, position)) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      position = seen.indexOf(text, position) + text.length
    },
    types: (text: string) => io.input.write(text),
  }
}

test('CLI-1 the conversation says first that it is a rehearsal, answers, and leaves with /quit', async () => {
  const chat = converse({ notice: 'This is a rehearsal, not a model.', steps: [{ text: 'It is a folder.' }] })
  await chat.sees('This is a rehearsal')
  await chat.sees('> ')
  chat.types('what is this?\r')
  await chat.sees('It is a folder.')
  await chat.sees('> ')
  chat.types('/q\r')
  assert.equal(await chat.code, 0)
  assert.equal(chat.apps.shut(), 1)
})

test('CLI-1 a tool call is one line with verb, summary and time; untrusted text is sanitised', async () => {
  const tool = handMadeTool('read', () => ({ ok: true }), {
    verb: 'reading',
    summarize: () => 'a\u001b]0;owned\u0007.txt\nnext',
  })
  const chat = converse({
    steps: [{ calls: [['read', {}]] }, { text: 'do\u009b31mne' }],
    snapshot: { tools: toolMap(tool) },
  })
  await chat.sees('> ')
  chat.types('go\r')
  await chat.sees('  reading  a.txt next  0 ms\n')
  await chat.sees('do31mne\n')
  chat.types('/quit\r')
  await chat.code
})

test('SAFE-2 approval is asked for once, for the session, always here, denied, or never here', async () => {
  const ran: unknown[] = []
  const tool = handMadeTool('bash', (args) => ran.push(args), { approval: 'always' })
  const chat = converse({
    steps: [
      {
        calls: [
          ['bash', { n: 1 }],
          ['bash', { n: 2 }],
          ['bash', { n: 3 }],
          ['bash', { n: 4 }],
        ],
      },
      { text: 'done' },
    ],
    snapshot: { tools: toolMap(tool) },
  })
  await chat.sees('> ')
  chat.types('go\r')
  for (const answer of ['d', 'o', 's']) {
    await chat.sees('bash (plugin plugin_bash) wants to run: bash {"n":')
    await chat.sees('[o]nce  [s]ession: bash  [a]lways here  [d]eny  [n]ever here: ')
    chat.types(`${answer}\r`)
  }
  await chat.sees('done')
  assert.deepEqual(ran, [{ n: 2 }, { n: 3 }, { n: 4 }])
  chat.types('/quit\r')
  await chat.code
})

test('T12 Ctrl-C cancels the turn and amber stays; at the prompt it leaves', async () => {
  const chat = converse({
    steps: [
      (_, watcher) =>
        new Promise((resolve) => {
          watcher.signal.addEventListener('abort', () =>
            resolve({
              status: 'error',
              error: { kind: 'cancelled', retryable: false, message: '', hint: '' },
            }),
          )
          chat.types('\u0003')
        }),
      { text: 'still here' },
    ],
  })
  await chat.sees('> ')
  chat.types('go\r')
  await chat.sees('cancelled')
  await chat.sees('> ')
  chat.types('and now?\r')
  await chat.sees('still here')
  await chat.sees('> ')
  chat.types('\u0003')
  assert.equal(await chat.code, 0)
})

test('CMD-6 slash commands run in the conversation and complete from the live tree', async () => {
  const chat = converse({})
  await chat.sees('> ')
  chat.types('/set policy mode read\r')
  await chat.sees('The mode is read now.')
  chat.types('/set pol\t')
  await chat.sees('/set policy ')
  chat.types('mode\r')
  await chat.sees('The mode is read.')
  chat.types('/nope\r')
  await chat.sees('There is no command /nope')
  chat.types('/new\r')
  await chat.sees('A new conversation.')
  chat.types('/quit\r')
  await chat.code
})
