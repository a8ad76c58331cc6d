import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after, before } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { openTerminal, type Terminal } from '../screens/terminal.ts'
import { amberArguments, environment } from '../support/amber-process.ts'

const hasTmux = spawnSync('tmux', ['-V']).status === 0
const skip = hasTmux ? false : 'tmux is not installed, so there is no terminal to run in'
const home = realpathSync(mkdtempSync(join(tmpdir(), 'amber-tmux-')))
const plugin = join(home, 'boom')

before(() => {
  mkdirSync(plugin)
  mkdirSync(join(home, 'shop', 'src'), { recursive: true })
  writeFileSync(join(home, 'shop', 'package.json'), '{ "name": "shop" }\n')
  writeFileSync(
    join(plugin, 'plugin.json'),
    JSON.stringify({
      manifestVersion: 1,
      id: 'boom',
      version: '0.1.0',
      name: 'Boom',
      description: 'Ends the process.',
      engines: { amber: '>=0.1.0' },
      entry: './index.js',
      capabilities: { commands: [{ root: 'boom', help: 'Ends the process' }] },
    }),
  )
  writeFileSync(
    join(plugin, 'index.js'),
    "import { exit } from 'node:process'\nimport { definePlugin } from 'amber-agent/sdk'\nexport default definePlugin(() => ({ commands: { boom: { '': () => exit(7) } } }))\n",
  )
})
after(() => rmSync(home, { recursive: true, force: true }))

let opened = 0
const socket = () => `amber-tui-${process.pid}-${opened}`
const tmux = (...args: readonly string[]) =>
  execFileSync('tmux', ['-L', socket(), ...args], { encoding: 'utf8' }).trim()

/** Amber in a shell that says when it has ended, in a terminal on which something stood before. */
function open(extra = '', variables = ''): Terminal {
  opened += 1
  const amber = [process.execPath, ...amberArguments].map((part) => `'${part}'`).join(' ')
  return openTerminal({
    command: `echo stood before; ${variables} ${amber} ${extra}; echo left $?; exec sleep 60`,
    socket: socket(),
    columns: 90,
    rows: 24,
    cwd: join(home, 'shop'),
    env: { ...environment(home), TERM: 'tmux-256color' },
  })
}

const key = (...names: readonly string[]) => tmux('send-keys', '-t', 'screen', ...names)
const state = () =>
  tmux('display-message', '-p', '-t', 'screen', '#{alternate_on} #{cursor_flag} #{mouse_any_flag}')

function amberPid(): number {
  const shell = tmux('display-message', '-p', '-t', 'screen', '#{pane_pid}')
  return Number(readFileSync(`/proc/${shell}/task/${shell}/children`, 'utf8').trim().split(' ')[0])
}

/** The shell's own screen is back, with the cursor and without the mouse. */
async function assertGivenBack(terminal: Terminal): Promise<void> {
  await terminal.shows(/left \d+/)
  assert.match(terminal.screen(), /stood before/)
  assert.equal(state(), '0 1 0')
}

test('the built command in a terminal: a turn, a tool, the drawer, a resize, a panel, and out', {
  skip,
}, async () => {
  const terminal = open()
  try {
    await terminal.shows('rehearsal, not a model')
    assert.equal(state(), '1 1 0')
    terminal.type('read package.json')
    await terminal.shows(/▸ reading +package\.json/)
    await terminal.shows('[end of file: 1 line]')
    key('-l', '/hello ')
    await terminal.shows(/greet +Greets somebody/)
    key('-l', 'gr')
    key('Tab')
    terminal.type('amber')
    await terminal.shows('Hello, amber!')
    tmux('resize-window', '-t', 'screen', '-x', '60', '-y', '18')
    await terminal.shows(/^\[1\/1\][^\n]{0,60}$/m)
    tmux('resize-window', '-t', 'screen', '-x', '90', '-y', '24')
    key('M-0')
    await terminal.shows(/plugins: \d+ registered/)
    key('Escape')
    await terminal.shows('Hello, amber!')
    terminal.type('/set config display.ascii on')
    await terminal.shows(/\+ reading +package\.json/)
    assert.doesNotMatch(terminal.screen(), /[^\x00-\x7f]/)
    terminal.type('/set config display.ascii off')
    await terminal.shows(/▸ reading +package\.json/)
    terminal.type('/quit')
    await assertGivenBack(terminal)
    assert.match(terminal.screen(), /left 0/)
  } finally {
    terminal.close()
  }
})

test('SES-2 /undo shows the diff, asks, takes the turn back, and puts its words into the input', {
  skip,
}, async () => {
  const terminal = open()
  const file = join(home, 'shop', 'note.txt')
  try {
    await terminal.shows('rehearsal, not a model')
    terminal.type('write hello to note.txt')
    await terminal.shows(/▸ writing +note\.txt/)
    await terminal.shows('Created note.txt: +1')
    terminal.type('/undo')
    await terminal.shows(/-hello[\s\S]*Take this back\?/)
    assert.equal(readFileSync(file, 'utf8'), 'hello')
    // A dialog is deaf for a moment to who was typing just now.
    await wait(600)
    key('y')
    await terminal.shows(/Taken back: note\.txt, and 4 messages\.[\s\S]*❯ write hello to note\.txt/)
    assert.equal(existsSync(file), false)
    assert.doesNotMatch(terminal.screen(), /▸ writing/)
    key('C-c', 'C-d')
    await assertGivenBack(terminal)
  } finally {
    terminal.close()
  }
})

for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
  test(`T5 ${signal} gives the terminal back`, { skip }, async () => {
    const terminal = open()
    try {
      await terminal.shows('rehearsal, not a model')
      process.kill(amberPid(), signal)
      await assertGivenBack(terminal)
    } finally {
      terminal.close()
    }
  })
}

test('T5 a plugin that calls process.exit is told no, and the screen stays', { skip }, async () => {
  const terminal = open(`--plugin '${plugin}'`)
  try {
    await terminal.shows('rehearsal, not a model')
    terminal.type('/boom')
    await terminal.shows('process.exit() was called')
    assert.equal(state(), '1 1 0')
    key('C-d')
    await assertGivenBack(terminal)
  } finally {
    terminal.close()
  }
})

test('interfaces 7: amber dev --tui serves the inspector and shows swaps and code frames in the screen', {
  skip,
}, async () => {
  const folder = join(home, 'greeting')
  mkdirSync(folder)
  const manifest = (help: string) =>
    JSON.stringify({
      manifestVersion: 1,
      id: 'greeting',
      version: '0.1.0',
      name: 'Greeting',
      description: 'Greets.',
      engines: { amber: '>=0.1.0' },
      entry: './index.js',
      capabilities: { commands: [{ root: 'greeting', help }] },
    })
  const code = (text: string) =>
    `import { definePlugin } from 'amber-agent/sdk'\nexport default definePlugin(() => ({ commands: { greeting: { '': () => '${text}' } } }))\n`
  /** As editors do it: the name is never seen with half a file behind it. */
  const save = (name: string, text: string) => {
    writeFileSync(join(home, 'saved'), text)
    renameSync(join(home, 'saved'), join(folder, name))
  }
  save('plugin.json', manifest('Greets somebody'))
  save('index.js', code('good morning'))
  const terminal = open(`dev --tui '${folder}'`)
  try {
    await terminal.shows(/inspector http:\/\/127\.0\.0\.1:\d+\/#token=/)
    terminal.type('/greeting')
    await terminal.shows('good morning')
    key('-l', '/greeti')
    await terminal.shows('Greets somebody')
    save('plugin.json', manifest('Greets everybody'))
    await terminal.shows('Greets everybody')
    key('C-u')
    save('index.js', code("good ' evening"))
    await terminal.shows('was not swapped')
    key('C-o')
    await terminal.shows(/┌ .*index\.js:2:\d+/)
    save('index.js', code('good evening'))
    await terminal.shows(/(swapped: generation[\s\S]*){3}/)
    terminal.type('/greeting')
    await terminal.shows('good evening')
    terminal.type('/quit')
    await assertGivenBack(terminal)
    assert.match(terminal.screen(), /left 0/)
  } finally {
    terminal.close()
  }
})

for (const [how, extra, variables] of [
  ['--plain', '--plain', ''],
  ['TERM=dumb', '', 'TERM=dumb'],
] as const) {
  test(`PRO-13 ${how}: a conversation line by line shows and keeps nothing of a key that is typed`, {
    skip,
  }, async () => {
    const terminal = open(extra, variables)
    try {
      await terminal.shows('/help for commands')
      assert.equal(state(), '0 1 0')
      terminal.type('/provider add acme http://127.0.0.1:9/v1 m')
      await terminal.shows('The key of acme')
      terminal.type('key-of-the-test')
      await terminal.shows('Stored acme')
      if (variables === '') {
        key('Up')
        await terminal.shows(/> \/provider add acme \S+ m\s*$/)
        key('C-u')
      }
      terminal.type('/get config mode')
      await terminal.shows(/mode +write +default/)
      assert.doesNotMatch(terminal.screen(), /key-of-the-test/)
      terminal.type('/quit')
      await terminal.shows('left 0')
    } finally {
      terminal.close()
    }
  })
}
