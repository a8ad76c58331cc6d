import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AmberError } from '../../host/base/errors.ts'
import { completeLine, pageAt } from '../../host/command/complete.ts'
import { type CoreHandler, createDispatcher } from '../../host/command/dispatch.ts'
import { resolveLine } from '../../host/command/resolve.ts'
import { commandTree } from '../../host/command/tree.ts'
import type { Snapshot } from '../../host/registry/snapshot.ts'
import type { CommandNode } from '../../manifests/command-node.ts'
import { handMadeCommand, handMadeSnapshot } from '../support/hand-made.ts'

const core: Readonly<Record<string, CommandNode>> = {
  help: { help: 'Help', aliases: ['?', 'h'] },
  quit: { help: 'Leave', aliases: ['exit', 'q'] },
  set: {
    help: 'Change a setting',
    children: {
      mode: { help: 'The mode', choices: ['read', 'write', 'yolo'] },
      model: { help: 'The model', choicesFrom: 'models' },
      parallel: { help: 'How many at once', type: 'int', range: [1, 16] },
      ratio: { help: 'A share', type: 'float', range: [0, 1] },
    },
  },
}

const helloNode: CommandNode = {
  help: 'Says hello',
  man: 'Usage: /hello greet <name>',
  children: { greet: { help: 'Greets' }, grow: { help: 'Grows' }, silent: { help: 'Bound to nothing' } },
}

const hello = handMadeCommand('hello', helloNode, {
  greet: (argument) => `Hello, ${argument.text || 'world'}!`,
  grow: (argument) => argument.words.join('|'),
})

const withHello = handMadeSnapshot({ commands: new Map([['hello', hello]]) })

function dispatcher(
  snapshot: Snapshot | (() => Snapshot),
  handlers: Readonly<Record<string, CoreHandler>> = {},
) {
  return createDispatcher({
    core,
    handler: (path) => handlers[path],
    snapshot: typeof snapshot === 'function' ? snapshot : () => snapshot,
  })
}

test('CMD-7 /hello greet amber returns Hello, amber!; with no argument, Hello, world!', async () => {
  const { run } = dispatcher(withHello)
  assert.deepEqual(await run('/hello greet amber'), { ok: true, text: 'Hello, amber!' })
  assert.deepEqual(await run('hello greet'), { ok: true, text: 'Hello, world!' })
})

test('CMD-2 a handler gets the argument’s text and its words, quotes holding words together', async () => {
  const { run } = dispatcher(withHello)
  assert.equal((await run(`/hello grow  one "two three" 'four five' `)).text, 'one|two three|four five')
})

test('CMD-3 a leaf with no handler prints its page and that nothing is bound to it, and failed', async () => {
  const { run } = dispatcher(withHello)
  const leaf = await run('/hello silent')
  assert.equal(leaf.ok, false)
  assert.match(leaf.text, /^\/hello silent\nBound to nothing\n\nNothing is bound to \/hello silent\.$/)
  const group = await run('/hello')
  assert.equal(group.ok, false)
  assert.match(
    group.text,
    /Usage: \/hello greet <name>[\s\S]*greet {3}Greets[\s\S]*Nothing is bound to \/hello itself/,
  )
})

test('CMD-3 a word that a group does not know gets the nearest ones', async () => {
  const result = await dispatcher(withHello).run('/hello great amber')
  assert.equal(result.ok, false)
  assert.match(result.text, /^\/hello has no great\. Did you mean greet/)
})

test('CMD-1 resolution: exact, alias, unambiguous prefix; ambiguous ones are listed; the deepest node wins', () => {
  const tree = commandTree(core, withHello)
  const path = (line: string) => {
    const found = resolveLine(tree, line)
    return found.kind === 'found' ? `${found.path.join('.')}(${found.argument})` : found.kind
  }
  assert.equal(path('/exit'), 'quit()')
  assert.equal(path('/?'), 'help()')
  assert.equal(path('/hello greet  a  b '), 'hello.greet(a  b)')
  assert.equal(path('/hel'), 'ambiguous')
  assert.equal(path('/hell gree x'), 'hello.greet(x)')
  assert.equal(path('/set mode'), 'set.mode()', 'exact beats being a prefix of model')
  assert.equal(path('/set other thing'), 'set(other thing)')
  assert.deepEqual(resolveLine(tree, '/hello gr x'), {
    kind: 'ambiguous',
    path: ['hello'],
    word: 'gr',
    candidates: ['greet', 'grow'],
  })
  assert.deepEqual(resolveLine(tree, '/helo'), { kind: 'unknown', word: 'helo', nearest: ['help', 'hello'] })
  assert.equal(path('/'), 'empty')
})

test('CMD-1 choices, type and range are checked with an error that says what is legal', async () => {
  const seen: string[] = []
  const handler: CoreHandler = ({ text }) => {
    seen.push(text)
    return text
  }
  const { run } = dispatcher(withHello, {
    'set.mode': handler,
    'set.parallel': handler,
    'set.ratio': handler,
  })
  for (const good of ['mode read', 'parallel 16', 'ratio 0.5', 'mode']) {
    assert.equal((await run(`/set ${good}`)).ok, true, good)
  }
  assert.equal(seen.length, 4)
  assert.match(
    (await run('/set mode wriet')).text,
    /one of read, write, yolo, not "wriet"\. Did you mean write\?/,
  )
  for (const bad of ['17', '0', '1.5', 'x', '1e999', '0x5', 'Infinity']) {
    assert.match((await run(`/set parallel ${bad}`)).text, /a whole number from 1 to 16/, bad)
  }
  assert.match((await run('/set ratio 2')).text, /a number from 0 to 1, not "2"/)
  assert.equal(seen.length, 4)
})

test('CMD-4 a plugin’s root never displaces one of the core’s, nor an alias', () => {
  const intruder = (root: string) => handMadeCommand(root, { help: 'Mine' }, {})
  const tree = commandTree(
    core,
    handMadeSnapshot({
      commands: new Map([
        ['quit', intruder('quit')],
        ['q', intruder('q')],
      ]),
    }),
  )
  assert.equal(tree.get('quit')?.plugin, undefined)
  assert.equal(tree.has('q'), false)
})

test('CMD-5 and CMD-6: dispatch and completion follow the live snapshot', async () => {
  let snapshot = handMadeSnapshot()
  const { run } = dispatcher(() => snapshot)
  const complete = (line: string) =>
    completeLine(commandTree(core, snapshot), line, () => []).items.map((item) => item.text)
  assert.match((await run('/hello greet')).text, /There is no command \/hello\./)
  assert.deepEqual(complete('/hel'), ['help'])
  snapshot = withHello
  assert.equal((await run('/hello greet')).text, 'Hello, world!')
  assert.deepEqual(complete('/hel'), ['help', 'hello'])
  const shouting = handMadeCommand('hello', helloNode, { greet: () => 'HELLO' })
  snapshot = handMadeSnapshot({ commands: new Map([['hello', shouting]]) })
  assert.equal((await run('/hello greet')).text, 'HELLO')
})

test('CMD-5 the command of a plugin that is off fails naming the plugin and the remedy', async () => {
  const off = { plugin: 'hello', why: 'is switched off', remedy: 'amber plugin on hello' }
  const result = await dispatcher(handMadeSnapshot({ unavailable: new Map([['command:hello', off]]) })).run(
    '/hello greet',
  )
  assert.equal(result.ok, false)
  assert.match(
    result.text,
    /belongs to plugin hello, which is switched off\.\nTo mend that: amber plugin on hello/,
  )
})

test('CMD-6 completion knows children, choices, what lives, and whose a root is', () => {
  const tree = commandTree(core, withHello)
  const live = (source: string) => (source === 'models' ? ['gpt', 'glm'] : [])
  const complete = (line: string) => completeLine(tree, line, live)
  assert.deepEqual(
    complete('/hello ').items.map((item) => `${item.text} ${item.plugin}`),
    ['greet hello', 'grow hello', 'silent hello'],
  )
  assert.deepEqual(complete('/set mode w').items, [{ text: 'write', help: '', plugin: undefined }])
  assert.deepEqual(
    complete('/set model g').items.map((item) => item.text),
    ['gpt', 'glm'],
  )
  assert.equal(complete('/set mode w').start, '/set mode '.length)
  assert.deepEqual(complete('/nothing x').items, [])
  assert.deepEqual(
    complete('/').items.map((item) => item.text),
    ['help', 'quit', 'set', 'hello'],
  )
})

test('CMD-6 ? after a blank opens the page of the path so far', () => {
  const tree = commandTree(core, withHello)
  assert.match(pageAt(tree, '/hello greet ?') ?? '', /^\/hello greet\nGreets/)
  assert.equal(pageAt(tree, '/nothing ?'), undefined)
})

test('CMD-2 a throw is told as a failure, an AmberError with what to do', async () => {
  const { run } = dispatcher(withHello, {
    help: () => {
      throw new Error('a bug')
    },
    quit: () => {
      throw new AmberError('failed', 'It cannot leave now.', 'Stop the turn first.')
    },
  })
  assert.deepEqual(await run('/help'), { ok: false, text: '/help failed: a bug' })
  assert.deepEqual(await run('/quit'), { ok: false, text: 'It cannot leave now.\nStop the turn first.' })
})
