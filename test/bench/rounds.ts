import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rgPath } from '@vscode/ripgrep'
import { createApp } from '../../host/app/create-app.ts'
import { systemClock } from '../../host/base/clock.ts'
import { ms, plainEnvironment, report, summarise } from './measure.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const amber = join(root, 'dist', 'amber.js')
const home = mkdtempSync(join(tmpdir(), 'amber-bench-'))

/** A model that calls `greet` until the conversation has so many results, then answers. */
let rounds = 20
/** From the end of each answer to the next request, in milliseconds: what a client does with a call. */
let trips: number[] = []
let answered: number | undefined
const server = createServer((request, response) => {
  if (answered !== undefined) trips.push(performance.now() - answered)
  let body = ''
  request.setEncoding('utf8').on('data', (text) => {
    body += text
  })
  request.on('end', () => {
    const done = body.split('"role":"tool"').length - 1
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const delta =
      done < rounds
        ? {
            tool_calls: [
              {
                index: 0,
                id: `call_${done}`,
                type: 'function',
                function: { name: 'greet', arguments: `{"name":"${done}"}` },
              },
            ],
          }
        : { content: 'done' }
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`)
    response.end(
      `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: done < rounds ? 'tool_calls' : 'stop' }] })}\n\ndata: [DONE]\n\n`,
    )
    answered = done < rounds ? performance.now() : undefined
  })
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`

/** The same loop in the least code: undici, a parser, a function for the tool. */
const FLOOR = `
import { Agent, request } from 'undici'
import { createParser } from 'eventsource-parser'
const dispatcher = new Agent()
const messages = [{ role: 'user', content: 'go' }]
for (;;) {
  const response = await request(process.env.BENCH_BASE + '/chat/completions', { method: 'POST', dispatcher, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ model: 'bench', stream: true, messages }) })
  const calls = []
  let text = ''
  const parser = createParser({ onEvent({ data }) {
    if (data === '[DONE]') return
    const delta = JSON.parse(data).choices[0].delta
    calls.push(...(delta.tool_calls ?? []))
    text += delta.content ?? ''
  } })
  const decoder = new TextDecoder()
  for await (const piece of response.body) parser.feed(decoder.decode(piece, { stream: true }))
  if (calls.length === 0) { console.log(text); break }
  messages.push({ role: 'assistant', content: null, tool_calls: calls })
  for (const call of calls) messages.push({ role: 'tool', tool_call_id: call.id, content: 'Hello, ' + JSON.parse(call.function.arguments).name + '!' })
}
await dispatcher.destroy()
process.exit(0)
`
const floorFile = join(root, 'dist', 'bench-rounds.mjs')
writeFileSync(floorFile, FLOOR)
const env = plainEnvironment({ AMBER_HOME: home, BENCH_BASE: base })
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
  '--max-turns',
  '600',
  'go',
]

/** One run of so many calls; gives what each of its round trips took at the client. */
async function tripsOf(args: readonly string[]): Promise<readonly number[]> {
  trips = []
  answered = undefined
  const child = spawn(process.execPath, args, { env, stdio: 'ignore' })
  const code = await new Promise((resolve) => child.on('exit', resolve))
  if (code !== 0) throw new Error(`${args[0]} ended with ${code}`)
  if (trips.length !== rounds) throw new Error(`${args[0]} made ${trips.length} round trips, not ${rounds}`)
  return trips
}

process.stdout.write('tool round trips\n')
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const p50 = (values: readonly number[]) => summarise(values).p50
const means = { floor: [] as number[], amber: [] as number[] }
const later = { floor: [] as number[], amber: [] as number[] }
for (let round = -1; round < 10; round += 1) {
  const [floor, own] = [await tripsOf([floorFile]), await tripsOf(amberRun)]
  if (round < 0) continue
  means.floor.push(mean(floor))
  means.amber.push(mean(own))
  later.floor.push(...floor.slice(1))
  later.amber.push(...own.slice(1))
}
const ownPart = p50(means.amber) - p50(means.floor)
report('20 round trips, floor', `${ms(p50(means.floor))} each`)
report("20 round trips, amber's own part", `${ms(ownPart)} each`, { text: '< 3 ms', met: ownPart < 3 })
report('from the second on, p50: floor, amber', `${ms(p50(later.floor))}, ${ms(p50(later.amber))}`)

/** Peak resident memory of a run with so many rounds, in MB. */
function peak(count: number): Promise<number> {
  rounds = count
  const probe = `data:text/javascript,${encodeURIComponent("process.on('exit',()=>process.stderr.write('rss '+process.resourceUsage().maxRSS))")}`
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--import', probe, ...amberRun], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text) => {
      said += text
    })
    child.on('close', () => resolve(Number(/rss (\d+)/.exec(said)?.[1] ?? Number.NaN) / 1024))
  })
}
const [short, long] = [await peak(50), await peak(500)]
report('memory, 50 and 500 rounds', `${short.toFixed(0)} MB and ${long.toFixed(0)} MB`)
server.close()
rmSync(floorFile)

process.stdout.write('search in 20,000 files\n')
const tree = join(home, 'tree')
for (let folder = 0; folder < 200; folder += 1) {
  mkdirSync(join(tree, `folder-${folder}`), { recursive: true })
  for (let file = 0; file < 100; file += 1) {
    const needle = file === 50 && folder % 10 === 0 ? 'const needle = 1\n' : ''
    writeFileSync(
      join(tree, `folder-${folder}`, `file-${file}.ts`),
      `export const value${file} = ${folder}\n${'// a line of hay\n'.repeat(20)}${needle}`,
    )
  }
}
const app = await createApp({
  paths: {
    config: join(home, 'config'),
    state: join(home, 'state'),
    cache: join(home, 'cache'),
    workspace: tree,
    installation: root,
  },
  env: process.env,
  pluginFlags: [],
  without: [],
  noPlugins: false,
  clock: systemClock,
  onNotice: () => {},
})
const found = { rg: [] as number[], amber: [] as number[] }
for (let round = -2; round < 10; round += 1) {
  const started = performance.now()
  const rg = spawnSync(rgPath, ['--json', '-e', 'needle', '--', tree], { encoding: 'utf8', maxBuffer: 1e8 })
  const between = performance.now()
  const answer = await app.callTool('search', { pattern: 'needle' }, {})
  const ended = performance.now()
  if (rg.status !== 0 || !answer.ok || !answer.output?.includes('20 matches'))
    throw new Error(`search: ${answer.error ?? answer.output}`)
  if (round < 0) continue
  found.rg.push(between - started)
  found.amber.push(ended - between)
}
const ratio = p50(found.amber) / p50(found.rg)
report('rg itself', ms(p50(found.rg)))
report('the tool search', `${ms(p50(found.amber))}  ${ratio.toFixed(2)}x`, {
  text: '1.3x',
  met: ratio <= 1.3,
})
await app.shutdown()
rmSync(home, { recursive: true, force: true })
process.exit(0)
