import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { TurnSink } from '../../host/agent/turn.ts'
import { systemClock } from '../../host/base/clock.ts'
import { commandTree } from '../../host/command/tree.ts'
import { createScreen } from '../../host/tui/index.ts'
import { coreTree } from '../../manifests/core-tree.ts'
import { handMadeSnapshot } from '../support/hand-made.ts'
import { ms, plainEnvironment, report, summarise, timeInTurns } from './measure.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const SIZE = { columns: 220, rows: 50 }
const IDLE_MS = 10_000
const DELTAS = 5000

/** The built command on a terminal of its own, until the first frame; then left alone. */
async function measureProcess(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'amber-bench-'))
  const amber = `stty cols ${SIZE.columns} rows ${SIZE.rows}; exec '${process.execPath}' '${join(root, 'dist', 'amber.js')}' --no-session`
  const env = {
    ...plainEnvironment({ AMBER_HOME: home, LANG: 'C.UTF-8', TERM: 'xterm-256color' }),
    SHELL: '/bin/sh',
  }
  const paints: number[] = []
  const prompts: number[] = []
  for (let round = 0; round < 12; round += 1) {
    const started = performance.now()
    const child = spawn('script', ['-qfc', amber, '/dev/null'], {
      env,
      cwd: home,
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    let seen = ''
    const shows = (what: string) =>
      new Promise<number>((resolve) => {
        const look = () => {
          if (seen.includes(what)) resolve(performance.now() - started)
        }
        child.stdout.on('data', look)
        look()
      })
    child.stdout.on('data', (chunk) => {
      seen += String(chunk)
    })
    const paint = await shows('\x1b[?2026l')
    const ready = await shows('rehearsal')
    if (round > 1) {
      paints.push(paint)
      prompts.push(ready)
    }
    if (round === 11) await measureIdle(child.pid ?? 0)
    const ended = new Promise((resolve) => child.on('close', resolve))
    child.stdin.write('\x04')
    await ended
  }
  const [floor] = timeInTurns([{ args: ['-e', '0'] }], 10)
  const ratio = (value: number) =>
    `${ms(value)}  ${(value / (floor?.p50 ?? Number.NaN)).toFixed(2)}x of node -e 0`
  report('start to first frame (p50)', ratio(summarise(paints).p50))
  report('start to a conversation (p50)', ratio(summarise(prompts).p50))
  rmSync(home, { recursive: true, force: true })
}

/** Below `script` there is a shell that has become amber. */
async function measureIdle(script: number): Promise<void> {
  const children = readFileSync(`/proc/${script}/task/${script}/children`, 'utf8').trim().split(' ')
  const pid = Number(children[0])
  await wait(1500)
  const ticks = () => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return Number(fields[11]) + Number(fields[12])
  }
  const before = ticks()
  await wait(IDLE_MS)
  const share = ((ticks() - before) * 10) / IDLE_MS
  const memory = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
  report('idle, with the clock in the bar', `${(share * 100).toFixed(2)} % of a core`, {
    text: '0.5 %',
    met: share < 0.005,
  })
  report('memory while idle', `${memory.toFixed(0)} MB`, { text: '90 MB', met: memory < 90 })
}

/** A screen in this process; `painted` counts frames. */
async function openScreen() {
  const input = new PassThrough()
  let frames = 0
  let bytes = 0
  const output = Object.assign(
    new Writable({
      write(chunk, _encoding, done) {
        frames += 1
        bytes += chunk.length
        done()
      },
    }),
    SIZE,
  )
  const core = coreTree()
  const snapshot = handMadeSnapshot()
  const screen = createScreen({
    app: {
      snapshot: () => snapshot,
      commandTree: () => commandTree(core, snapshot),
      choices: () => [],
      runCommand: async () => ({ ok: true, text: '' }),
      plugins: {
        list: () => [],
        info: () => undefined,
        swap: async (plugin) => ({ kind: 'unchanged', plugin }),
        enable: async (plugin) => ({ kind: 'unchanged', plugin }),
        disable: async (plugin) => ({ kind: 'unchanged', plugin }),
      },
    },
    terminal: { input, output },
    env: { LANG: 'C.UTF-8', TERM: 'xterm-256color' },
    clock: systemClock,
    version: '0.1.0',
    place: '~/src/shop',
    history: { entries: [], add: () => {} },
    listFiles: async () => [],
    shown: { markdown: true, isAscii: false },
    reasoningEffort: () => '',
    panels: [],
    onLeave: () => {},
    onFatal(thrown) {
      throw thrown
    },
  })
  await screen.open()
  let sink: TurnSink | undefined
  let end = () => {}
  screen.addConversation('1', {
    provider: 'bench',
    model: 'bench',
    mode: () => 'write',
    setMode: () => {},
    reset: () => {},
    turn: (_prompt, how) =>
      new Promise((resolve) => {
        sink = how.sink
        end = () =>
          resolve({
            text: '',
            finishReason: 'stop',
            usage: { inputTokens: 0, outputTokens: 0, wire: {} },
            toolCalls: [],
            session: null,
            provider: 'bench',
            model: 'bench',
            errors: [],
            pluginErrors: [],
          })
      }),
  })
  input.emit('data', 'go\r')
  return { screen, input, frames: () => frames, bytes: () => bytes, sink: () => sink, end: () => end() }
}

const WORDS = 'An **empty** cart reduced to `undefined`, so the sum became *NaN*; it is now zero. '.split(' ')

function delta(at: number): string {
  if (at % 90 === 89) return '\n\n- an item of a list\n- and another\n\n'
  if (at % 400 === 399) return '\n\n```ts\nconst total = (items: Item[]) => items.length\n```\n\n'
  return `${WORDS[at % WORDS.length] ?? ''} `
}

async function measureStream(): Promise<void> {
  const { screen, input, frames, bytes, sink, end } = await openScreen()
  const cpu = process.cpuUsage()
  const started = performance.now()
  for (let at = 0; at < DELTAS; at += 1) {
    sink()?.text(delta(at))
    if (at % 10 === 9) await turn()
  }
  await wait(50)
  const { user, system } = process.cpuUsage(cpu)
  report(
    `${DELTAS} deltas at full speed`,
    `${ms((user + system) / 1000)} CPU, ${ms(performance.now() - started)}`,
  )
  report('  of these', `${frames()} frames, ${(bytes() / 1024).toFixed(0)} kB`)

  const keys: number[] = []
  let isOver = false
  const streaming = (async () => {
    for (let at = 0; !isOver; at += 1) {
      sink()?.text(delta(at))
      // As fast as the fastest providers: a thousand deltas a second.
      await wait(1)
    }
  })()
  for (let at = 0; at < 200; at += 1) {
    const due = performance.now() + 7
    await wait(7)
    const before = frames()
    input.emit('data', 'x')
    if (frames() === before) throw new Error('a key was not painted at once')
    keys.push(Math.max(0, performance.now() - Math.max(due, 0)))
  }
  isOver = true
  await streaming
  const { p50, p95 } = summarise(keys)
  report('key to paint while streaming (p50, p95)', `${ms(p50)}, ${ms(p95)}`, { text: '8 ms', met: p95 < 8 })
  end()

  const composed: number[] = []
  for (let at = 0; at < 1000; at += 1) {
    const from = performance.now()
    input.emit('data', at % 2 === 0 ? 'y' : '\x7f')
    composed.push(performance.now() - from)
  }
  const frame = summarise(composed)
  report('a frame at 220x50, with its key (p50, p95)', `${ms(frame.p50)}, ${ms(frame.p95)}`, {
    text: '1 ms',
    met: frame.p50 < 1,
  })
  const scrolled: number[] = []
  for (let at = 0; at < 300; at += 1) {
    const from = performance.now()
    input.emit('data', '\x1b[A\x1b[A\x1b[A')
    scrolled.push(performance.now() - from)
  }
  report(
    'a scroll by three lines (p50, p95)',
    `${ms(summarise(scrolled).p50)}, ${ms(summarise(scrolled).p95)}`,
  )
  await screen.close()
}

process.stdout.write('the screen\n')
if (spawnSync('script', ['--version']).status === 0) await measureProcess()
else report('first frame and idling', 'not measured: there is no script command to make a terminal')
await measureStream()
process.exit(0)
