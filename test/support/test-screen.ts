import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { Duplex, PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import xterm from '@xterm/headless'
import type { AgentMode, ToolRequested, TurnResult, TurnSink } from '../../host/agent/turn.ts'
import { createDispatcher } from '../../host/command/dispatch.ts'
import { commandTree } from '../../host/command/tree.ts'
import type { Snapshot } from '../../host/registry/snapshot.ts'
import { type Conversation, createScreen, type Screen } from '../../host/tui/index.ts'
import { coreTree } from '../../manifests/core-tree.ts'
import { handMadeSnapshot } from './hand-made.ts'
import { createManualClock, type ManualClock } from './manual-clock.ts'

type ScreenDeps = Parameters<typeof createScreen>[0]

/** What a turn does when it is asked. */
export type Script = (
  sink: TurnSink,
  turn: { readonly signal: AbortSignal; readonly prompt: string },
) => Promise<void> | void

/** How a test's screen is made. */
export interface TestScreenOptions {
  readonly width?: number
  readonly height?: number
  readonly env?: Readonly<Record<string, string>>
  readonly snapshot?: Partial<Snapshot>
  readonly script?: Script
  readonly history?: readonly string[]
  readonly plugins?: ScreenDeps['app']['plugins']
  readonly deps?: Partial<Omit<ScreenDeps, 'app' | 'terminal'>>
}

/** A screen on a virtual terminal: what amber writes is what a terminal makes of the bytes. */
export interface TestScreen {
  readonly screen: Screen
  readonly conversation: Conversation
  readonly clock: ManualClock
  /** Prompts that reached the agent, exactly. */
  readonly prompts: readonly string[]
  /** Every byte that was written. */
  bytes(): string
  /** Sends bytes, as a terminal does; each string is a read of its own. */
  press(...reads: readonly string[]): void
  /** Passes time, and lets what waits for it happen. */
  pass(ms: number): Promise<void>
  /** The rows as they stand, without blanks at their ends. */
  rows(): Promise<readonly string[]>
  text(): Promise<string>
  /** Where the cursor is, from 0, and whether it is shown. */
  cursor(): Promise<{ readonly row: number; readonly column: number }>
  resize(width: number, height: number): void
  setSnapshot(parts: Partial<Snapshot>): void
  left(): number
  fatal(): unknown
  close(): Promise<void>
}

/** Opens one, with a clock that stands. */
export async function openTestScreen(options: TestScreenOptions = {}): Promise<TestScreen> {
  const clock = createManualClock(Date.UTC(2026, 10, 30, 17, 42, 8))
  const size = { width: options.width ?? 80, height: options.height ?? 24 }
  const term = new xterm.Terminal({
    cols: size.width,
    rows: size.height,
    allowProposedApi: true,
    scrollback: 0,
  })
  const input = new PassThrough()
  let bytes = ''
  const output = Object.assign(
    new Duplex({
      read() {},
      write(chunk, _encoding, done) {
        bytes += String(chunk)
        term.write(String(chunk), () => {})
        done()
      },
    }),
    { columns: size.width, rows: size.height },
  )
  let snapshot = handMadeSnapshot(options.snapshot)
  const core = coreTree()
  const dispatcher = createDispatcher({ core, handler: () => undefined, snapshot: () => snapshot })
  const prompts: string[] = []
  let left = 0
  let fatal: unknown
  const screen = createScreen({
    app: {
      snapshot: () => snapshot,
      commandTree: () => commandTree(core, snapshot),
      choices: () => [],
      runCommand: (line, how) => dispatcher.run(line, how),
      plugins: options.plugins ?? {
        list: () => [],
        info: () => undefined,
        swap: async (id) => ({ kind: 'unchanged', plugin: id }),
        enable: async (id) => ({ kind: 'unchanged', plugin: id }),
        disable: async (id) => ({ kind: 'unchanged', plugin: id }),
      },
    },
    terminal: { input, output },
    env: { LANG: 'C.UTF-8', TERM: 'xterm-256color', ...options.env },
    clock,
    version: '0.1.0',
    place: '~/src/shop',
    history: { entries: [...(options.history ?? [])], add: () => {} },
    listFiles: async () => [],
    shown: { markdown: true, isAscii: false },
    reasoningEffort: () => '',
    panels: [],
    onLeave: () => {
      left += 1
    },
    onFatal: (thrown) => {
      fatal = thrown
    },
    ...options.deps,
  })
  await screen.open()
  const conversation = screen.addConversation('1', scriptedAgent(options.script ?? (() => {}), prompts))
  const settled = async () => {
    clock.advance(40)
    await new Promise((resolve) => setImmediate(resolve))
    clock.advance(40)
    await new Promise<void>((resolve) => term.write('', resolve))
  }
  const rows = async () => {
    await settled()
    return Array.from(
      { length: term.rows },
      (_, at) => term.buffer.active.getLine(at)?.translateToString(true) ?? '',
    )
  }
  await settled()
  return {
    screen,
    conversation,
    clock,
    prompts,
    bytes: () => bytes,
    press(...reads) {
      for (const read of reads) input.emit('data', read)
    },
    async pass(ms) {
      clock.advance(ms)
      await settled()
    },
    rows,
    text: async () => (await rows()).join('\n').trimEnd(),
    async cursor() {
      await settled()
      return { row: term.buffer.active.cursorY, column: term.buffer.active.cursorX }
    },
    resize(width, height) {
      Object.assign(output, { columns: width, rows: height })
      term.resize(width, height)
      output.emit('resize')
    },
    setSnapshot(parts) {
      snapshot = handMadeSnapshot({ generation: snapshot.generation + 1, ...parts })
      screen.changed()
    },
    left: () => left,
    fatal: () => fatal,
    async close() {
      await screen.close()
      term.dispose()
    },
  }
}

/** Fails when the screen is not what the fixture shows; AMBER_UPDATE_SCREENS=1 writes it anew. */
export async function assertScreen(shown: TestScreen, name: string): Promise<void> {
  const file = fileURLToPath(new URL(`../tui/screens/${name}.txt`, import.meta.url))
  const text = `${await shown.text()}\n`
  if (process.env.AMBER_UPDATE_SCREENS === '1') writeFileSync(file, text)
  assert.equal(text, existsSync(file) ? readFileSync(file, 'utf8') : '')
}

/** A call as a turn tells of it. */
export function call(id: string, verb: string, summary: string, args: unknown = {}): ToolRequested {
  return { id, name: verb, plugin: 'tool', arguments: args, verb, summary }
}

function scriptedAgent(script: Script, prompts: string[]): Conversation['agent'] {
  let mode: AgentMode = 'write'
  return {
    provider: 'openrouter',
    model: 'gpt-4o',
    mode: () => mode,
    setMode(next) {
      mode = next
    },
    reset() {},
    async turn(prompt, { signal, sink }) {
      prompts.push(prompt)
      await script(sink, { signal, prompt })
      return result(signal.aborted ? 'cancelled' : 'stop')
    },
  }
}

function result(finishReason: string): TurnResult {
  return {
    text: '',
    finishReason,
    usage: { inputTokens: 0, outputTokens: 0, wire: {} },
    toolCalls: [],
    session: null,
    provider: 'openrouter',
    model: 'gpt-4o',
    errors: [],
    pluginErrors: [],
  }
}

/** Resolves when the signal aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
