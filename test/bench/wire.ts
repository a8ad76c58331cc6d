import { fork } from 'node:child_process'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { createParser } from 'eventsource-parser'
import { Agent as Pool, request } from 'undici'
import { createAgent } from '../../host/agent/agent.ts'
import { systemClock } from '../../host/base/clock.ts'
import { createEventBus } from '../../host/base/event-bus.ts'
import { createChatClient } from '../../host/llm/client.ts'
import { openAiDialect } from '../../host/llm/openai/dialect.ts'
import { createTransport } from '../../host/llm/transport.ts'
import { handMadeSnapshot } from '../support/hand-made.ts'
import { ms, report, summarise } from './measure.ts'

/** A chunk as OpenAI sends it, about 200 bytes long. */
function chunk(content: string | undefined, finish: string | null): string {
  const delta = content === undefined ? {} : { content }
  const choice = { index: 0, delta, logprobs: null, finish_reason: finish }
  const id = 'chatcmpl-9xKcMmO6qTzVbN3rQeYw2sLdFgHjK'
  return `data: ${JSON.stringify({ id, object: 'chat.completion.chunk', created: 1750000000, model: 'm-1', system_fingerprint: 'fp_44709d6fcb', choices: [choice] })}\n\n`
}

/**
 * The server, in a process of its own, so that what is measured is the reader. `/N/…` streams N deltas in writes of
 * some kilobytes; `/ping/…` sends one delta at a time and waits for the word to go on.
 */
function serve(): void {
  const server = createServer((incoming, response) => {
    const path = incoming.url ?? ''
    incoming.resume()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    if (path.startsWith('/ping'))
      return void ping(
        (text) => response.write(text),
        () => response.end(),
      )
    const count = Number(path.split('/')[1])
    let sent = 0
    const more = () => {
      while (sent < count) {
        let text = ''
        for (let n = 0; n < 16 && sent < count; n++) text += chunk(`word${sent++} `, null)
        if (!response.write(text)) return void response.once('drain', more)
      }
      response.end(`${chunk(undefined, 'stop')}data: [DONE]\n\n`)
    }
    more()
  })
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    if (typeof address === 'object') process.send?.(address?.port)
  })
  process.on('disconnect', () => process.exit(0))
}

/** Stamps each delta with the moment at which its bytes were handed to the system. */
function ping(write: (text: string) => void, end: () => void): void {
  let left = 200
  const next = () => {
    if (left-- === 0) {
      write(`${chunk(undefined, 'stop')}data: [DONE]\n\n`)
      return end()
    }
    write(chunk(`@${performance.timeOrigin + performance.now()};`, null))
    setTimeout(next, 2)
  }
  next()
}

/** The least that reads such a stream: undici, eventsource-parser, JSON.parse, and the text put together. */
async function floor(pool: Pool, origin: string, count: number): Promise<number> {
  let text = ''
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data === '[DONE]') return
      text += JSON.parse(data).choices[0]?.delta.content ?? ''
    },
  })
  const decoder = new TextDecoder()
  const { body } = await request(`${origin}/${count}/chat/completions`, {
    method: 'POST',
    dispatcher: pool,
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  for await (const bytes of body) parser.feed(decoder.decode(bytes, { stream: true }))
  return text.length
}

/** Transport, framing, decoder and loop of amber, as a turn runs them. */
function amberAt(base: string, onText: (delta: string) => void) {
  const transport = createTransport({ clock: systemClock, env: {} })
  const client = createChatClient(
    { transport, dialect: openAiDialect, clock: systemClock, random: Math.random },
    { provider: 'bench', model: 'm-1', apiBase: base, apiKey: 'sk-bench-0123456789abcdef' },
  )
  const snapshot = handMadeSnapshot()
  const agent = createAgent(
    {
      client,
      bus: createEventBus({ clock: systemClock, onFault: () => {} }),
      clock: systemClock,
      snapshot: () => snapshot,
      prompt: { base: 'You are amber.', coreBlocks: [] },
      pluginErrors: () => [],
    },
    { mode: 'write' },
  )
  const sink = {
    text: onText,
    reasoning() {},
    toolRequested() {},
    toolCompleted() {},
    notice() {},
    error({ message }: { readonly message: string }) {
      throw new Error(message)
    },
  }
  return {
    async turn(): Promise<number> {
      const { signal } = new AbortController()
      const { text } = await agent.turn('go', { signal, sink })
      agent.reset()
      return text.length
    },
    close: () => transport.close(),
  }
}

/**
 * CPU microseconds of this process for each delta. No collection is forced before: a full one throws compiled code
 * away, and then what is measured is the compiler.
 */
async function cpuOf(read: () => Promise<number>, count: number): Promise<number> {
  const before = process.cpuUsage()
  const length = await read()
  const used = process.cpuUsage(before)
  if (length < count * 5) throw new Error(`only ${length} characters arrived`)
  return (used.user + used.system) / count
}

function heap(): number {
  for (let round = 0; round < 3; round++) globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

/** Deltas that are read before anything counts: by then the compiler has seen all of it. */
const WARM_UP_DELTAS = 50_000

async function measureCount(origin: string, count: number, rounds: number): Promise<void> {
  const pool = new Pool()
  let deltas = 0
  const amber = amberAt(`${origin}/${count}`, () => deltas++)
  const ours: number[] = []
  const least: number[] = []
  const warmUp = Math.ceil(WARM_UP_DELTAS / count)
  for (let round = -warmUp; round < rounds; round++) {
    const floorCost = await cpuOf(() => floor(pool, origin, count), count)
    deltas = 0
    const cost = await cpuOf(() => amber.turn(), count)
    if (deltas !== count) throw new Error(`${deltas} deltas`)
    if (round < 0) continue
    least.push(floorCost)
    ours.push(cost)
  }
  const before = heap()
  for (let round = 0; round < 3; round++) await amber.turn()
  const grown = heap() - before
  const [a, b] = [summarise(ours).p50, summarise(least).p50]
  report(
    `${count} deltas, CPU a delta`,
    `${a.toFixed(2)} µs, floor ${b.toFixed(2)} µs, ${(a / b).toFixed(2)}x`,
    {
      text: '<= 1.5x',
      met: a / b <= 1.5,
    },
  )
  report(`${count} deltas, memory kept of 3 turns`, `${Math.round(grown / 1024)} kB`, {
    text: 'flat (< 256 kB)',
    met: grown < 256 * 1024,
  })
  await amber.close()
  await pool.close()
}

async function measureLatency(origin: string): Promise<void> {
  const late: number[] = []
  const amber = amberAt(`${origin}/ping`, (delta) => {
    const sent = Number(delta.slice(1, -1))
    late.push(performance.timeOrigin + performance.now() - sent)
  })
  await amber.turn()
  late.length = 0
  await amber.turn()
  const { p50, p95 } = summarise(late)
  report('byte sent -> delta shown', `p50 ${ms(p50)}  p95 ${ms(p95)}`, { text: '< 1 ms', met: p50 < 1 })
  await amber.close()
}

if (process.argv[2] === 'serve') serve()
else {
  const child = fork(fileURLToPath(import.meta.url), ['serve'])
  const port = await new Promise((resolve) => child.once('message', resolve))
  const origin = `http://127.0.0.1:${port}`
  process.stdout.write('wire\n')
  await measureCount(origin, 5_000, 40)
  await measureCount(origin, 100_000, 5)
  await measureLatency(origin)
  child.disconnect()
}
