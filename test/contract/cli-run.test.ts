import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TurnResult } from '../../host/agent/turn.ts'
import { runProgram } from '../../host/cli/program.ts'
import { createFakeApps, type FakeAppParts, noProvider } from '../support/fake-app.ts'
import { createFakeIo } from '../support/fake-io.ts'
import { handMadeCommand, handMadeTool, toolMap } from '../support/hand-made.ts'
import { createManualClock } from '../support/manual-clock.ts'

type IoOptions = Parameters<typeof createFakeIo>[0]

/** Runs the command line against a fake app. */
function start(argv: readonly string[], parts: FakeAppParts = {}, options: IoOptions = {}) {
  const io = createFakeIo({ env: { AMBER_HOME: '/nonexistent/amber' }, ...options })
  const apps = createFakeApps(parts)
  const clock = createManualClock()
  const code = runProgram(argv, {
    io,
    clock,
    installation: { folder: '/nonexistent', version: '1.2.3' },
    createApp: apps.create,
  })
  return { io, apps, clock, code }
}

async function finished(...args: Parameters<typeof start>) {
  const started = start(...args)
  const code = await started.code
  return { ...started, code, out: started.io.stdout(), err: started.io.stderr() }
}

function resultOf(out: string): TurnResult {
  assert.equal(out.trimEnd().split('\n').length, 1, 'exactly one line')
  return JSON.parse(out)
}

const denied = {
  steps: [{ calls: [['bash', {}]] as const }, { text: 'I could not.' }],
  snapshot: { tools: toolMap(handMadeTool('bash', () => assert.fail('ran'), { approval: 'always' })) },
}

const quota = {
  steps: [
    {
      status: 'error' as const,
      error: { kind: 'quota' as const, status: 429, retryable: false, message: 'No credit.', hint: 'Pay.' },
    },
  ],
}

test('CLI-1 run prints the answer, and nothing else, on standard output', async () => {
  const { code, out, err, apps } = await finished(['run', 'say', 'hello'], { notice: 'a rehearsal' })
  assert.equal(code, 0)
  assert.equal(out, 'Hello.\n')
  assert.equal(err, 'a rehearsal\n')
  assert.equal(apps.shut(), 1)
})

test('CLI-1 options of any run are taken before and after the command', async () => {
  const argv = [
    '--provider',
    'acme',
    'run',
    'hi',
    '--model',
    'acme-2',
    '--output',
    'json',
    '--plugin',
    'a',
    '--plugin',
    '/b',
    '--without',
    'clock',
    '--no-plugins',
  ]
  const { out, apps } = await finished(argv, {}, { cwd: '/tmp' })
  const result = resultOf(out)
  assert.equal(result.provider, 'acme')
  assert.equal(result.model, 'acme-2')
  assert.deepEqual(apps.opened[0]?.pluginFlags, ['/tmp/a', '/b'])
  assert.deepEqual(apps.opened[0]?.without, ['clock'])
  assert.equal(apps.opened[0]?.noPlugins, true)
})

test('CLI-1 flags beat the environment', async () => {
  const env = { AMBER_HOME: '/nonexistent/amber', AMBER_PROVIDER: 'envy', AMBER_MODEL: 'env-1' }
  const { out } = await finished(['run', 'hi', '-o', 'json', '--provider', 'flag'], {}, { env })
  assert.equal(resultOf(out).provider, 'flag')
  assert.equal(resultOf(out).model, 'env-1')
})

test('CLI-1 --output json is exactly one object with the turn’s facts', async () => {
  const { code, out } = await finished(['run', 'greet amber', '--output', 'json', '--no-session'], {
    steps: [{ calls: [['greet', { name: 'amber' }]] }, { text: 'Done.', reasoning: 'Short.' }],
    snapshot: { tools: toolMap(handMadeTool('greet', () => ({ ok: true, output: 'Hello!' }))) },
  })
  assert.equal(code, 0)
  const result = resultOf(out)
  assert.deepEqual(result, {
    text: 'Done.',
    reasoning: 'Short.',
    finishReason: 'stop',
    usage: { inputTokens: 20, outputTokens: 10, wire: { promptTokens: 20, completionTokens: 10 } },
    toolCalls: [
      {
        id: 'call_1_1',
        name: 'greet',
        plugin: 'plugin_greet',
        arguments: { name: 'amber' },
        ok: true,
        durationMs: 0,
      },
    ],
    session: null,
    provider: 'scripted',
    model: 'script-1',
    errors: [],
    pluginErrors: [],
  })
})

test('CLI-1 --output stream-json is one object a line, type first', async () => {
  const { out } = await finished(['run', 'x', '--output', 'stream-json'], {
    notice: 'a rehearsal',
    steps: [{ calls: [['greet', {}]] }, { text: 'All done.', reasoning: 'Hm.' }],
    snapshot: { tools: toolMap(handMadeTool('greet', () => ({ ok: true, output: 'Hello!' }))) },
  })
  const lines = out.trimEnd().split('\n')
  assert.ok(lines.every((line) => line.startsWith('{"type":"')))
  const records: { type: string; text?: string; plugin?: string; output?: string }[] = lines.map((line) =>
    JSON.parse(line),
  )
  assert.deepEqual(
    records.map((record) => record.type),
    ['notice', 'session', 'tool.requested', 'tool.completed', 'reasoning', 'text', 'text', 'turn.ended'],
  )
  assert.equal(records[2]?.plugin, 'plugin_greet')
  assert.equal(records[3]?.output, 'Hello!')
  assert.equal(records.at(-1)?.text, 'All done.')
})

test('CLI-1 exit 1: the turn failed; json still has its one object with the error (H5)', async () => {
  const text = await finished(['run', 'x'], quota)
  assert.equal(text.code, 1)
  assert.equal(text.err, 'error: No credit.\nPay.\n')
  const json = await finished(['run', 'x', '--output', 'json'], quota)
  assert.equal(json.code, 1)
  assert.deepEqual(resultOf(json.out).errors, [
    { kind: 'quota', message: 'No credit.', hint: 'Pay.', status: 429 },
  ])
})

test('CLI-1 exit 1: the limit of requests', async () => {
  let n = 0
  const parts = {
    steps: [() => ({ calls: [['greet', { n: n++ }] as const] })],
    snapshot: { tools: toolMap(handMadeTool('greet', () => ({ ok: true }))) },
  }
  const { code, out } = await finished(['run', 'x', '--max-turns', '2', '--output', 'json'], parts)
  assert.equal(code, 1)
  assert.equal(resultOf(out).errors[0]?.kind, 'limit')
})

test('CLI-1 exit 1: the time limit, with what there was by then', async () => {
  const hang = {
    steps: [
      (_: unknown, watcher: { signal: AbortSignal; onChunk(chunk: unknown): void }) =>
        new Promise<{ text: string; status: 'error'; error: typeof cancelledError }>((resolve) => {
          watcher.signal.addEventListener('abort', () =>
            resolve({ text: 'Half', status: 'error', error: cancelledError }),
          )
          started.clock.advance(2_000)
        }),
    ],
  }
  const started = start(['run', 'x', '--timeout', '2', '--output', 'json'], hang)
  assert.equal(await started.code, 1)
  const result = resultOf(started.io.stdout())
  assert.equal(result.finishReason, 'timeout')
  assert.equal(result.text, 'Half')
  assert.equal(result.errors[0]?.kind, 'limit')
})

const cancelledError = { kind: 'cancelled', retryable: false, message: 'Cancelled.', hint: '' } as const

test('CLI-1 exit 130: interrupted', async () => {
  const hang = {
    steps: [
      (_: unknown, watcher: { signal: AbortSignal }) =>
        new Promise<{ status: 'error'; error: typeof cancelledError }>((resolve) => {
          watcher.signal.addEventListener('abort', () => resolve({ status: 'error', error: cancelledError }))
          started.io.interrupt()
        }),
    ],
  }
  const started = start(['run', 'x', '--output', 'json'], hang)
  assert.equal(await started.code, 130)
  assert.equal(resultOf(started.io.stdout()).finishReason, 'cancelled')
})

test('CLI-1 exit 4: a call was denied for want of an approver, even though the model answered', async () => {
  const { code, out, err } = await finished(['run', 'x'], denied)
  assert.equal(code, 4)
  assert.equal(out, 'I could not.\n')
  assert.match(err, /bash needed approval and nobody was there to give it\.\n.*--yes/)
})

test('CLI-1 1 beats 4', async () => {
  const { code } = await finished(['run', 'x'], {
    ...denied,
    steps: [...denied.steps.slice(0, 1), ...quota.steps],
  })
  assert.equal(code, 1)
})

test('CLI-1 --yes asks nothing', async () => {
  const tools = toolMap(handMadeTool('bash', () => ({ ok: true }), { approval: 'always' }))
  const { code } = await finished(['run', 'x', '--yes'], { ...denied, snapshot: { tools } })
  assert.equal(code, 0)
})

test('CLI-1 exit 3: no provider, in two lines, or in json’s one object', async () => {
  const text = await finished(['run', 'x'], { agentError: noProvider })
  assert.equal(text.code, 3)
  assert.equal(text.out, '')
  assert.equal(
    text.err,
    'error: No provider is named, and OPENAI_API_KEY is set.\nName it: --provider openai\n',
  )
  const json = await finished(['run', 'x', '--output', 'json'], { agentError: noProvider })
  assert.equal(json.code, 3)
  assert.equal(resultOf(json.out).errors[0]?.kind, 'configuration')
})

test('CLI-1 exit 3: a plugin named by --plugin is invalid', async () => {
  const diagnostic = {
    severity: 'error',
    code: 'AMB2104',
    file: '/p/plugin.json',
    line: 12,
    column: 9,
    path: '',
    message: 'unknown key "aproval"',
  } as const
  const { code, err, apps } = await finished(['run', 'x', '--plugin', '/p'], {
    plugins: [
      {
        id: 'p',
        name: 'P',
        version: '1.0.0',
        category: 'tools',
        source: 'flag',
        path: '/p',
        state: 'invalid',
        enabled: true,
        generation: 0,
        contributions: [],
        diagnostics: [diagnostic],
      },
    ],
  })
  assert.equal(code, 3)
  assert.match(err, /unknown key "aproval" \(\/p\/plugin\.json:12:9\)\n.*amber plugin validate \/p/)
  assert.equal(apps.shut(), 1)
})

test('CLI-1 exit 3: a workspace that is not there', async () => {
  const { code, err, apps } = await finished(['run', 'x', '--workspace', '/nonexistent/here'])
  assert.equal(code, 3)
  assert.match(err, /\/nonexistent\/here is not a folder/)
  assert.equal(apps.opened.length, 0)
})

test('CLI-1 exit 2: wrong usage, with the nearest right one', async () => {
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [
      ['run', 'x', '--modle', 'y'],
      /^error: unknown option '--modle'\nDid you mean one of --mode, --model\? See amber run --help\.\n$/,
    ],
    [['rnu', 'x'], /^error: unknown command 'rnu'\nDid you mean run\? See amber --help\.\n$/],
    [['what', 'is'], /^error: unknown command 'what'\nTo ask the model, write: amber run "what …"\n$/],
    [['run', 'x', '--output', 'yaml'], /Allowed choices are text, json, stream-json/],
    [['run', 'x', '--mode', 'god'], /Allowed choices are read, write, yolo/],
    [['run', 'x', '--max-turns', '0'], /whole number from 1/],
    [['run', 'x', '--timeout', '-1'], /above 0/],
    [['run'], /^error: There is no prompt\./],
    [['config', 'set', 'model'], /missing required argument 'value'/],
    [['run', 'x', '--continue', '--resume', 'a'], /cannot be used with/],
  ]
  for (const [argv, pattern] of cases) {
    const { code, err, out, apps } = await finished(argv)
    assert.equal(code, 2, `${argv.join(' ')}: ${err}`)
    assert.match(err, pattern)
    assert.equal(out, '')
    assert.equal(apps.opened.length, 0)
    assert.ok(err.trimEnd().split('\n').length <= 2, err)
  }
})

test('CLI-1 help and version go to standard output and exit 0', async () => {
  const version = await finished(['--version'])
  assert.deepEqual([version.code, version.out], [0, '1.2.3\n'])
  const help = await finished(['--help'])
  assert.equal(help.code, 0)
  for (const word of ['run', 'command', 'provider', 'config', '--provider', '--no-plugins']) {
    assert.ok(help.out.includes(word), word)
  }
  assert.doesNotMatch(help.out, /\[word\.\.\.\]/)
  const run = await finished(['run', '--help'])
  assert.match(run.out, /--max-turns[\s\S]*Global Options:[\s\S]*--provider/)
})

test('CLI-1 a stack only with AMBER_DEBUG=1', async () => {
  const broken = { steps: [() => assert.fail('a bug')] }
  const plain = await finished(['run', 'x'], broken)
  assert.doesNotMatch(plain.err, /\n {4}at /)
  const config = await finished(
    ['config', 'get', 'nope'],
    {},
    { env: { AMBER_HOME: '/x', AMBER_DEBUG: '1' } },
  )
  assert.match(config.err, /^error: There is no setting nope\.\n.*\n.*\n {4}at /)
})

test('CLI-2 and H1: an idle pipe never hangs a run that has a prompt', async () => {
  for (const [kind, waitMs] of [
    ['socket', 200],
    ['pipe', 1_000],
  ] as const) {
    const started = start(['run', 'hello'], {}, { stdin: kind })
    await untilTimer(started.clock)
    started.clock.advance(waitMs)
    assert.equal(await started.code, 0)
    assert.equal(started.io.stdout(), 'Hello.\n')
  }
})

test('H1 with no key the run ends at once, without a look at the pipe', async () => {
  const { code, clock } = await finished(
    ['run', 'hi', '--provider', 'openai'],
    { agentError: noProvider },
    { stdin: 'pipe' },
  )
  assert.equal(code, 3)
  assert.equal(clock.pending(), 0)
})

test('H1 an idle pipe and no prompt is wrong usage in the end', async () => {
  const started = start(['run'], {}, { stdin: 'pipe' })
  await untilTimer(started.clock)
  started.clock.advance(5_000)
  assert.equal(await started.code, 2)
})

/** Waits until the run waits for time. */
async function untilTimer(clock: { pending(): number }): Promise<void> {
  while (clock.pending() === 0) await new Promise((resolve) => setImmediate(resolve))
}

/** The user message of a run with this standard input. */
async function promptOf(
  argv: readonly string[],
  input: string | readonly Buffer[],
  kind: 'pipe' | 'file' = 'pipe',
) {
  let prompt = ''
  const parts: FakeAppParts = {
    steps: [
      (request) => {
        const user = request.messages.find((message) => message.role === 'user')
        prompt = user?.role === 'user' ? user.text : ''
        return { text: 'ok' }
      },
    ],
  }
  const started = start(argv, parts, { stdin: kind })
  for (const chunk of typeof input === 'string' ? [input] : input) started.io.input.write(chunk)
  started.io.input.end()
  return { code: await started.code, prompt, err: started.io.stderr() }
}

test('CLI-2 the prompt comes from standard input, from arguments, or from both with the input as context', async () => {
  assert.equal((await promptOf(['run'], 'what is this?\n')).prompt, 'what is this?')
  assert.equal(
    (await promptOf(['run', 'summarise', 'this'], 'line 1\nline 2\n')).prompt,
    'summarise this\n\n<stdin>\nline 1\nline 2\n</stdin>',
  )
  assert.equal(
    (await promptOf(['run', 'explain', '-'], 'x', 'file')).prompt,
    'explain\n\n<stdin>\nx\n</stdin>',
  )
})

test('S1 and CLI-2: a character that two chunks share arrives whole', async () => {
  const bytes = Buffer.from('北京')
  assert.equal((await promptOf(['run'], [bytes.subarray(0, 1), bytes.subarray(1)])).prompt, '北京')
})

test('H4 blanks, CRLF and a byte order mark on standard input are nothing', async () => {
  for (const blank of ['\r\n', '  ', '\uFEFF', '\uFEFF\r\n ']) {
    assert.equal((await promptOf(['run', 'hi'], blank)).prompt, 'hi')
    assert.equal((await promptOf(['run'], blank)).code, 2)
  }
})

test('CLI-2 what is no text on standard input is left out and said, and is no prompt', async () => {
  const binary = [Buffer.from('89504e470d0a1a0a0000', 'hex')]
  const beside = await promptOf(['run', 'hi'], binary)
  assert.equal(beside.prompt, 'hi')
  assert.match(beside.err, /is no text, so it was left out.*@shot\.png/)
  const alone = await promptOf(['run'], binary)
  assert.deepEqual([alone.code, alone.prompt], [2, ''])
  assert.match(alone.err, /is no text/)
})

test('CLI-2 an input that goes quiet is used as far as it came, with a notice', async () => {
  const started = start(['run', 'hi'], {}, { stdin: 'pipe' })
  started.io.input.write('half')
  await untilTimer(started.clock)
  await new Promise((resolve) => setImmediate(resolve))
  started.clock.advance(10_000)
  assert.equal(await started.code, 0)
  assert.match(started.io.stderr(), /went quiet/)
})

test('CLI-2 and H2: a closed pipe ends the run quietly', async () => {
  const hang: FakeAppParts = {
    steps: [
      (_, watcher) =>
        new Promise((resolve) => {
          watcher.signal.addEventListener('abort', () => resolve({ status: 'error', error: cancelledError }))
          started.io.close()
        }),
    ],
  }
  const started = start(['run', 'x'], hang)
  assert.equal(await started.code, 0)
  assert.equal(started.io.stderr(), '')
})

test('CLI-2 a terminal sees the answer as it comes, sanitised; a pipe gets the bytes', async () => {
  const evil = { steps: [{ text: 'a\u001b[2Jb\u0007 c' }] }
  const terminal = await finished(['run', 'x'], evil, { outTTY: true })
  assert.equal(terminal.out, 'ab c\n')
  const pipe = await finished(['run', 'x'], evil)
  assert.equal(pipe.out, 'a\u001b[2Jb\u0007 c\n')
})

test('CMD-8 commands work headless', async () => {
  const hello = handMadeCommand(
    'hello',
    { help: 'Hello', children: { greet: { help: 'Greets' }, silent: { help: 'Nothing' } } },
    { greet: ({ text }) => `Hello, ${text || 'world'}!` },
  )
  const parts = { snapshot: { commands: new Map([['hello', hello]]) } }
  const done = await finished(['command', 'hello', 'greet', 'amber'], parts)
  assert.deepEqual([done.code, done.out], [0, 'Hello, amber!\n'])
  const dashed = await finished(['command', 'hello', 'greet', '--loud'], parts)
  assert.equal(dashed.out, 'Hello, --loud!\n')
  const inert = await finished(['command', 'hello', 'silent'], parts)
  assert.equal(inert.code, 1)
  assert.match(inert.err, /Nothing is bound to \/hello silent/)
  assert.equal((await finished(['command', 'nope'], parts)).code, 1)
})

test('PRO-1 provider list shows what there is, and is empty with nothing', async () => {
  assert.deepEqual(JSON.parse((await finished(['provider', 'list', '--json'])).out), [])
  const row = {
    name: 'acme',
    plugin: 'acme',
    flavor: 'openai',
    apiBase: 'https://api.acme.test/v1',
    defaultModel: 'acme-1',
    requiresKey: true,
    hasKey: false,
    active: true,
  }
  assert.deepEqual(JSON.parse((await finished(['provider', 'list', '--json'], { providers: [row] })).out), [
    row,
  ])
  const text = await finished(['provider', 'list'], { providers: [row] })
  assert.equal(text.out, '*  acme  acme-1  key missing  https://api.acme.test/v1\n')
})

test('CLI-1 without a terminal the conversation says what to write instead', async () => {
  const { code, err } = await finished([])
  assert.equal(code, 2)
  assert.match(err, /needs a terminal.*\n.*amber run/)
})
