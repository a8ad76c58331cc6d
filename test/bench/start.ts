import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ms, plainEnvironment, report, summarise, timeInTurns } from './measure.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const amber = join(root, 'dist', 'amber.js')
const home = mkdtempSync(join(tmpdir(), 'amber-bench-'))
const env = { AMBER_HOME: home }

process.stdout.write('start-up\n')
const [floor, version, list] = timeInTurns(
  [{ args: ['-e', '0'] }, { args: [amber, '--version'], env }, { args: [amber, 'plugin', 'list'], env }],
  20,
)
if (!floor || !version || !list) throw new Error('nothing was measured')
report('floor: node -e 0', ms(floor.p50))
const ratio = (value: number) => value / floor.p50
report('amber --version', `${ms(version.p50)}  ${ratio(version.p50).toFixed(2)}x`, {
  text: '1.5x',
  met: ratio(version.p50) <= 1.5,
})
report('amber plugin list', `${ms(list.p50)}  ${ratio(list.p50).toFixed(2)}x`, {
  text: '2.5x',
  met: ratio(list.p50) <= 2.5,
})

/** The floor of a run: the least that asks a server once over undici and prints what it streams. */
const FLOOR = `
import { Agent, request } from 'undici'
import { createParser } from 'eventsource-parser'
const base = process.env.BENCH_BASE
const dispatcher = new Agent({ connect: { timeout: 10_000 }, headersTimeout: 0, bodyTimeout: 0 })
const tools = [{ type: 'function', function: { name: 'greet', description: 'Greets.', parameters: { type: 'object', properties: { name: { type: 'string' } } } } }]
const body = JSON.stringify({
  model: 'bench',
  stream: true,
  messages: [{ role: 'system', content: 'You are a floor.' }, { role: 'user', content: process.argv[2] ?? 'hello' }],
  tools,
})
const response = await request(base + '/chat/completions', {
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: 'Bearer bench' },
  body,
  dispatcher,
})
if (response.statusCode !== 200) throw new Error('status ' + response.statusCode)
let text = ''
const parser = createParser({
  onEvent(event) {
    if (event.data === '[DONE]') return
    const chunk = JSON.parse(event.data)
    text += chunk.choices[0]?.delta?.content ?? ''
  },
})
const decoder = new TextDecoder()
for await (const piece of response.body) parser.feed(decoder.decode(piece, { stream: true }))
console.log(text)
await dispatcher.destroy()
process.exit(0)
`
const floorFile = join(root, 'dist', 'bench-floor.mjs')
writeFileSync(floorFile, FLOOR)

let arrived: (at: number) => void = () => {}
const server = createServer((request, response) => {
  arrived(performance.now())
  request.resume()
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write('data: {"choices":[{"index":0,"delta":{"role":"assistant","content":"hi"}}]}\n\n')
  response.end('data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n')
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`

async function run(args: readonly string[]): Promise<{ readonly first: number; readonly exit: number }> {
  const started = performance.now()
  const first = new Promise<number>((resolve) => {
    arrived = resolve
  })
  const child = spawn(process.execPath, args, {
    env: plainEnvironment({ ...env, BENCH_BASE: base, AMBER_API_KEY: 'bench' }),
    stdio: 'ignore',
  })
  const exit = new Promise<number>((resolve) => child.on('exit', () => resolve(performance.now())))
  return { first: (await first) - started, exit: (await exit) - started }
}

const runs = {
  floor: [] as { first: number; exit: number }[],
  amber: [] as { first: number; exit: number }[],
}
const amberRun = [
  amber,
  'run',
  '--no-session',
  '--provider',
  'custom',
  '--api-base',
  base,
  '--model',
  'bench',
  'hello',
]
for (let round = -1; round < 20; round += 1) {
  const [a, b] = [await run([floorFile]), await run(amberRun)]
  if (round < 0) continue
  runs.floor.push(a)
  runs.amber.push(b)
}
server.close()
for (const part of ['first', 'exit'] as const) {
  const [a, b] = [
    summarise(runs.floor.map((one) => one[part])),
    summarise(runs.amber.map((one) => one[part])),
  ]
  const what = part === 'first' ? 'run: start to first request' : 'run: start to exit'
  report(`${what}, floor (undici script)`, ms(a.p50))
  const times = b.p50 / a.p50
  report(
    `${what}, amber`,
    `${ms(b.p50)}  ${times.toFixed(2)}x`,
    part === 'first' ? { text: '1.4x', met: times <= 1.4 } : undefined,
  )
}
rmSync(floorFile)
rmSync(home, { recursive: true, force: true })
