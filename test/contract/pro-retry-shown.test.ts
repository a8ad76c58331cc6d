import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { countDown } from '../../host/agent/countdown.ts'
import { usageLine } from '../../host/cli/chat-sink.ts'
import { createTextWriter } from '../../host/headless/text.ts'
import { runCommandLine, startCommandLine } from '../support/command-line.ts'
import { createFakeIo } from '../support/fake-io.ts'
import { createManualClock } from '../support/manual-clock.ts'
import {
  type Answer,
  finishChunk,
  sendJson,
  sendStream,
  startModelServer,
  textChunk,
} from '../support/model-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const open: (() => Promise<void>)[] = []
after(() => Promise.all(open.map((close) => close())))

/** A home whose one provider is a server that answers so. */
async function homeOf(t: TestContext, answer: Answer) {
  const server = await startModelServer(answer)
  open.push(() => server.close())
  const home = temporaryFolder(t)
  mkdirSync(join(home, 'config', 'providers'), { recursive: true })
  const file = { apiBase: `${server.origin}/v1`, model: 'm' }
  writeFileSync(join(home, 'config', 'providers', 'acme.json'), JSON.stringify(file))
  return { home, server }
}

/** The first answer breaks off after its first word; the second is whole. */
const breaksOff: Answer = (response, _request, number) => {
  if (number > 1) return sendStream(response, textChunk('whole'), finishChunk(), '[DONE]')
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(`data: ${textChunk('half ')}\n\n`, () => response.destroy())
}

const RUN = ['run', 'hi', '--no-plugins', '--no-session'] as const

test('PRO-8 the wait before the next attempt is counted down, second by second', () => {
  const clock = createManualClock()
  const told: number[] = []
  const { signal } = new AbortController()
  countDown(clock, { waitMs: 2500, signal }, (left) => told.push(left))
  for (const ms of [1000, 1000, 500, 5000]) clock.advance(ms)
  assert.deepEqual(told, [3, 2, 1, 0])
  countDown(clock, { waitMs: 900, signal }, (left) => told.push(left))
  assert.equal(told.length, 4)
})

test('PRO-8 a cancellation ends the countdown at once', () => {
  const clock = createManualClock()
  const told: number[] = []
  const controller = new AbortController()
  countDown(clock, { waitMs: 9000, signal: controller.signal }, (left) => told.push(left))
  controller.abort()
  clock.advance(20_000)
  assert.deepEqual(told, [9, 0])
})

test('PRO-8 a terminal sees the countdown in one place; a file sees none', () => {
  const io = createFakeIo({ terminal: true })
  const writer = createTextWriter(io)
  for (const left of [10, 9, 0]) writer.waiting?.(left)
  assert.equal(
    io.stderr(),
    ['\r  trying again in 10 s', '\r  trying again in 9 s ', `\r${' '.repeat(21)}\r`].join(''),
  )
  const piped = createFakeIo()
  createTextWriter(piped).waiting?.(3)
  assert.equal(piped.stderr(), '')
})

test('PRO-8 the countdown is announced on standard error, and Retry-After is a minimum', async (t) => {
  const { home, server } = await homeOf(t, (response, _request, number) => {
    if (number === 1) sendJson(response, 429, { error: { message: 'slow down' } }, { 'retry-after-ms': '30' })
    else sendStream(response, textChunk('done'), finishChunk(), '[DONE]')
  })
  const { code, out, err } = await runCommandLine(RUN, { home })
  assert.deepEqual([code, out, server.seen.length], [0, 'done\n', 2])
  assert.match(err, /slow down Attempt 1 of 3 failed; trying again in \d(\.\d)? s\./)
})

test('R1 an answer that nobody has seen yet is asked for again; one that was shown is not, without --retry-partial', async (t) => {
  for (const form of ['json', 'text'] as const) {
    const { home, server } = await homeOf(t, breaksOff)
    const { code, out } = await runCommandLine([...RUN, '--output', form], { home })
    assert.equal(code, 0, form)
    assert.match(out, form === 'json' ? /"text":"whole"/ : /^whole\n$/)
    assert.equal(server.seen.length, 2)
  }
  const shown = await homeOf(t, breaksOff)
  const streamed = await runCommandLine([...RUN, '--output', 'stream-json'], shown)
  assert.equal(streamed.code, 1)
  assert.match(streamed.err, /not again, because part of the answer was already shown/)
  assert.equal(shown.server.seen.length, 1)
})

test('R1 --retry-partial asks again, and marks where the part that was shown breaks off', async (t) => {
  const { home, server } = await homeOf(t, breaksOff)
  const { code, out, err } = await runCommandLine([...RUN, '--retry-partial', '-o', 'stream-json'], { home })
  assert.equal(code, 0)
  assert.equal(server.seen.length, 2)
  assert.match(err, /breaks off here; it is told again from its start/)
  const records = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual(
    records.map(({ type }) => type),
    ['session', 'text', 'notice', 'text', 'turn.ended'],
  )
  assert.equal(records.at(-1).text, 'whole')
})

test('PRM-3 the conversation shows what a turn cost, with what the server had in its cache', async (t) => {
  assert.equal(
    usageLine({ inputTokens: 12_400, outputTokens: 310, cachedTokens: 9100, wire: {} }),
    '  12k tokens in, 9.1k of them cached, 310 out',
  )
  assert.equal(usageLine({ inputTokens: 0, outputTokens: 0, wire: {} }), '')
  const usage = { prompt_tokens: 2000, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 1536 } }
  const { home } = await homeOf(t, (response) =>
    sendStream(response, textChunk('hello'), finishChunk(), JSON.stringify({ choices: [], usage }), '[DONE]'),
  )
  const chat = startCommandLine(['--no-plugins', '--no-session'], { home, terminal: true, stdin: 'terminal' })
  await chat.sees('> ')
  chat.types('hi\r')
  await chat.sees('  2.0k tokens in, 1.5k of them cached, 5 out')
  await chat.sees('> ')
  chat.types('\u0003')
  assert.equal(await chat.code, 0)
})

test('PRO-7 reasoning effort comes from the settings', async (t) => {
  const { home, server } = await homeOf(t, (response) =>
    sendStream(response, textChunk('hello'), finishChunk(), '[DONE]'),
  )
  writeFileSync(join(home, 'config', 'config.json'), JSON.stringify({ reasoningEffort: 'high' }))
  assert.equal((await runCommandLine(RUN, { home })).code, 0)
  assert.equal(JSON.parse(server.seen[0]?.body ?? '{}').reasoning_effort, 'high')
})
