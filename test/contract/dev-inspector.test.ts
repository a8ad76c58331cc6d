import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { testDevServer } from '../support/dev-server.ts'
import { answeringEntry, pluginFolder } from '../support/plugin-folder.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const weatherTool = {
  name: 'weather',
  description: 'Says the weather.',
  approval: 'always',
  parameters: { type: 'object', properties: { days: { type: 'integer' } }, required: ['days'] },
}

async function start(t: TestContext, options: { readonly bundled?: boolean } = {}) {
  const plugin = pluginFolder(temporaryFolder(t), 'weather')
  plugin.manifest({ entry: './index.ts', capabilities: { tools: [weatherTool] } })
  plugin.write('index.ts', answeringEntry('weather', 'sunny'))
  const dev = await testDevServer(t, { folders: [plugin.folder], ...options })
  const base = `http://127.0.0.1:${dev.server.port}/api/`
  const token = { 'x-amber-token': dev.server.token }
  const get = async (path: string) => (await fetch(base + path, { headers: token })).json()
  const post = async (path: string, body: unknown) => {
    const headers = { ...token, 'content-type': 'application/json' }
    const reply = await fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: reply.status, body: await reply.json() }
  }
  return { ...dev, plugin, get, post }
}

test('DEV-1 tools come with what a form needs, and arguments are checked as the host does, running nothing', async (t) => {
  const { get, post, app } = await start(t)
  const [tool] = await get('tools')
  assert.deepEqual(
    [tool.name, tool.plugin, tool.approval, tool.readOnly, tool.parameters.required],
    ['weather', 'weather', 'always', false, ['days']],
  )
  const ran: string[] = []
  app.on('tool.requested', ({ name }) => ran.push(name))
  assert.deepEqual((await post('tools/weather/check', { days: '3' })).body, {
    ok: true,
    arguments: { days: 3 },
  })
  const { body } = await post('tools/weather/check', { days: 'x' })
  assert.equal(body.ok, false)
  assert.match(body.message, /^- days: /m)
  assert.equal((await post('tools/nothing/check', {})).status, 404)
  assert.deepEqual(ran, [])
})

test('DEV-1 every ledger entry is found in its manifest', async (t) => {
  const { get, plugin } = await start(t, { bundled: true })
  const sources: { plugin: string; kind: string; name: string; file: string; line: number }[] =
    await get('sources')
  const mine = sources.find((one) => one.plugin === 'weather')
  assert.deepEqual([mine?.file, mine?.kind, mine?.name], [`${plugin.folder}/plugin.json`, 'tool', 'weather'])
  const missing = (await get('ledger')).filter(
    (entry: (typeof sources)[number]) =>
      !sources.some(
        (one) => one.plugin === entry.plugin && one.kind === entry.kind && one.name === entry.name,
      ),
  )
  assert.deepEqual(missing, [])
})

test('SWAP-10 a problem comes with the lines around it, and is gone once mended', async (t) => {
  const { get, plugin, rejected, swap } = await start(t)
  assert.deepEqual(await get('problems'), [])
  plugin.write('index.ts', `${answeringEntry('weather', 'sunny')}\nconst broken = (\n`)
  await rejected('weather')
  const [problem, ...others] = await get('problems')
  assert.deepEqual(others, [])
  assert.deepEqual([problem.plugin, problem.severity, problem.phase], ['weather', 'error', 'build'])
  const [{ excerpt, line }] = problem.diagnostics
  assert.ok(excerpt.first <= line && line < excerpt.first + excerpt.lines.length)
  assert.ok(excerpt.lines.includes('const broken = ('))
  plugin.write('index.ts', answeringEntry('weather', 'rainy'))
  await swap('weather')
  assert.deepEqual(await get('problems'), [])
  const swaps: { type: string; at: number }[] = await get('swaps')
  assert.deepEqual(
    swaps.map((one) => one.type),
    ['swap', 'rejected', 'swap'],
  )
  assert.ok(swaps.every((one) => Math.abs(one.at - Date.now()) < 60_000))
})

test('SWAP-10 a problem is gone as well when the file is brought back to what it was', async (t) => {
  const { get, plugin, rejected, next } = await start(t)
  plugin.write('index.ts', 'const broken = (')
  await rejected('weather')
  plugin.write('index.ts', answeringEntry('weather', 'sunny'))
  await next('word of the mending', (one) => one.type === 'swap')
  assert.deepEqual(await get('problems'), [])
})

test('DEV-1 the newest turn is told with what went over the wire beside what it was decoded to', async (t) => {
  const { get, post } = await start(t, { bundled: true })
  assert.equal(await get('turns/last'), null)
  await post('turn', { prompt: 'greet amber' })
  const turn = await get('turns/last')
  assert.deepEqual([turn.prompt, turn.running, turn.dropped], ['greet amber', false, 0])
  assert.match(turn.result.text, /Hello, amber!/)
  const entries: { side: string; kind: string; text: string; at: number }[] = turn.entries
  assert.deepEqual(
    [entries[0]?.side, entries[0]?.kind, entries[0]?.text.startsWith('POST http://127.0.0.1:')],
    ['wire', 'request', true],
  )
  const firstText = entries.findIndex((one) => one.kind === 'text')
  const firstChunk = entries.findIndex((one) => one.kind === 'chunk' && one.text.includes('data: '))
  assert.ok(firstChunk !== -1 && firstChunk < firstText, 'the bytes come before what they mean')
  assert.ok(entries.some((one) => one.kind === 'tool.completed' && one.text.includes('"ok":true')))
  assert.ok(entries.every((one, index) => one.at >= (entries[index - 1]?.at ?? 0)))
})

test('PRM-3 the prompt tells which blocks are stable, what they take, and what changed since the last turn', async (t) => {
  const { get, post, plugin, swap } = await start(t, { bundled: true })
  const before = await get('prompt')
  assert.ok(before.blocks.every((one: { change: unknown }) => one.change === null))
  assert.ok(before.blocks.some((one: { stable: boolean; text: string }) => one.stable && one.text !== ''))
  assert.ok(
    before.tools.some(
      (one: { plugin: string; tokens: number }) => one.plugin === 'weather' && one.tokens > 0,
    ),
  )
  await post('turn', { prompt: 'greet amber' })
  plugin.write('advice.md', 'Take an umbrella.')
  const advised = [{ name: 'advice', placement: 'system', file: 'advice.md' }]
  plugin.manifest({ entry: './index.ts', capabilities: { tools: [weatherTool], promptBlocks: advised } })
  await swap('weather')
  const { blocks } = await get('prompt')
  const advice = blocks.find((one: { name: string }) => one.name === 'advice')
  assert.deepEqual([advice?.change, advice?.text], ['added', 'Take an umbrella.'])
})
