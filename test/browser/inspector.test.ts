import assert from 'node:assert/strict'
import test, { after, before, type TestContext } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { startDevServer } from '../../devserver/index.ts'
import { systemClock } from '../../host/base/clock.ts'
import { atEnd } from '../support/at-end.ts'
import { launchBrowser, noBrowser } from '../support/browser.ts'
import { testDevServer } from '../support/dev-server.ts'
import { HOSTILE, inspectedEntry, inspectedPlugin } from '../support/inspected-plugin.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { PATIENCE_MS } from '../support/until.ts'

const skip = noBrowser
let browser: Browser | undefined

before(async () => {
  if (!noBrowser) browser = await launchBrowser()
})
after(() => browser?.close())

/** A dev server with the inspected plugin and a page that shows it; fails when the page says or asks for what it may not. */
async function inspect(
  t: TestContext,
  options: { readonly bundled?: boolean; readonly dark?: boolean; readonly width?: number } = {},
) {
  const plugin = inspectedPlugin(temporaryFolder(t))
  const dev = await testDevServer(t, {
    folders: [plugin.folder],
    ...(options.bundled ? { bundled: true } : {}),
  })
  const context = await browser?.newContext({
    viewport: { width: options.width ?? 1280, height: 800 },
    colorScheme: options.dark ? 'dark' : 'light',
  })
  const page = await context?.newPage()
  if (!context || !page) throw new Error('no browser')
  page.setDefaultTimeout(PATIENCE_MS)
  const trouble: string[] = []
  page.on('pageerror', (error) => trouble.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') trouble.push(message.text())
  })
  const foreign: string[] = []
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(`http://127.0.0.1:${dev.server.port}/`) && !url.startsWith('data:')) foreign.push(url)
  })
  atEnd(t, async () => {
    await context.close()
    assert.deepEqual(foreign, [], 'the page loads nothing from outside')
  })
  await page.goto(dev.server.url)
  await page.getByText('● live').waitFor()
  await page.locator('.plugins').getByText('weather', { exact: true }).waitFor()
  const go = (hash: string) => page.evaluate(`location.hash = ${JSON.stringify(hash)}`)
  return { ...dev, plugin, page, trouble, go }
}

/** What people read of something, once there is something to read. */
async function textOf(at: Locator): Promise<string> {
  await at.first().waitFor()
  return (await at.allInnerTexts()).join('\n')
}

/** How far the page reaches beyond the window, in pixels. */
const overflow = (page: Page) => page.evaluate('document.documentElement.scrollWidth - innerWidth')

test('DEV-1 the token leaves the address at once, and stays in this tab alone', { skip }, async (t) => {
  const { page, server, trouble } = await inspect(t)
  assert.equal(new URL(page.url()).hash, '#/ledger')
  assert.equal(await page.evaluate('sessionStorage.getItem("amber-token")'), server.token)
  assert.equal(await page.evaluate('document.cookie + JSON.stringify(localStorage)'), '{}')
  await page.reload()
  await page.getByText('● live').waitFor()
  const other = await page.context().newPage()
  await other.goto(`http://127.0.0.1:${server.port}/`)
  await other.getByText('open the address that amber dev printed').waitFor()
  assert.deepEqual(trouble, [])
})

test('SWAP-2 a swap shows by itself: generation, ledger, timeline, event', { skip }, async (t) => {
  const { page, plugin, go, trouble } = await inspect(t)
  plugin.write(
    'index.ts',
    inspectedEntry((text) => text.replace("'opened'", "'wide open'")),
  )
  await page.locator('.plugin', { hasText: 'weather' }).getByText('live 2').waitFor()
  const changed = page.locator('tr.is-changed')
  await changed.filter({ hasText: 'umbrella' }).getByText('gen 2').waitFor()
  assert.match(await textOf(changed.filter({ hasText: 'umbrella' })), /~\s+umbrella.*plugin\.json:\d+/s)
  await page.locator('.log').getByText('plugin.swapped').waitFor()
  await go('#/timeline')
  const newest = page.locator('.swaps li').first()
  assert.match(await textOf(newest), /weather\s+gen 2.*~tool:umbrella.*build \d+\.\d/s)
  assert.ok((await newest.locator('svg.phases rect').count()) === 6)
  assert.match(await textOf(page.locator('.figures')), /p50 \d.* p95 \d.*of 2 swaps/)
  assert.deepEqual(trouble, [])
})

test('SWAP-2 a type error is a frame beside what is live already, through further swaps, until it is mended', {
  skip,
}, async (t) => {
  const { page, plugin, server, trouble } = await inspect(t)
  plugin.write(
    'tsconfig.json',
    '{ "compilerOptions": { "noEmit": true, "types": [] }, "files": ["kind.ts"] }',
  )
  await server.idle()
  plugin.write('kind.ts', "export const kind: number = 'a text'\n")
  const problem = page.locator('.problem')
  await problem.getByText('TS2322').waitFor()
  const text = await textOf(problem)
  assert.match(text, /warning.*'string' is not assignable to type 'number'/)
  assert.match(text, /kind\.ts:1:14/)
  assert.match(text, /make the value fit/)
  assert.match(await textOf(problem.locator('.mark')), /^ +\^{4}$/m)
  plugin.write(
    'index.ts',
    inspectedEntry((text) => text.replace("'opened'", "'wide open'")),
  )
  await page.locator('.plugin', { hasText: 'weather' }).getByText('live 2').waitFor()
  await server.idle()
  assert.equal(await problem.count(), 1)
  plugin.write('kind.ts', 'export const kind: number = 1\n')
  await problem.waitFor({ state: 'detached' })
  assert.deepEqual(trouble, [])
})

test('SWAP-10 a rejected swap is a code frame beside what still answers, and vanishes when mended', {
  skip,
}, async (t) => {
  const { page, plugin, trouble } = await inspect(t)
  plugin.write(
    'index.ts',
    inspectedEntry((text) => text.replace('JSON.stringify(args)', 'JSON.stringify(args')),
  )
  const problem = page.locator('.problem')
  await problem.getByText('rejected at build').waitFor()
  const text = await textOf(problem)
  assert.match(text, /generation 1 still answers/)
  assert.match(text, /weather\/index\.ts:\d+:\d+/)
  const line = await textOf(problem.locator('.line.it'))
  const mark = await textOf(problem.locator('.mark'))
  assert.match(line, /export default|const report/)
  assert.match(mark, /^ {2,}\^+$/m)
  await page.locator('.plugin', { hasText: 'weather' }).getByText('held 1').waitFor()
  plugin.write('index.ts', inspectedEntry())
  await problem.waitFor({ state: 'detached' })
  await page.locator('.problems').getByText('✓ none').waitFor()
  assert.deepEqual(trouble, [])
})

test('MAN-4 a form for each tool: nested objects, lists, enums, defaults, and validation as the host does it', {
  skip,
}, async (t) => {
  const { page, go, trouble } = await inspect(t)
  await go('#/try/tool/forecast')
  const form = page.getByRole('form', { name: 'call forecast' })
  await form.getByLabel('city').fill('Oslo')
  assert.equal(await form.getByLabel('days', { exact: true }).inputValue(), '3')
  await form.getByLabel('days', { exact: true }).fill('90')
  await form.getByText(/✗ .*9/).waitFor()
  assert.equal(await form.getByLabel('days', { exact: true }).getAttribute('aria-invalid'), 'true')
  await form.getByText('the host would refuse').waitFor()
  await form.getByLabel('days', { exact: true }).fill('2')
  await form.getByLabel('units', { exact: true }).selectOption('imperial')
  await form.getByLabel('send place').check()
  await form.getByLabel('lat', { exact: true }).fill('59.9')
  await form.getByLabel('lon', { exact: true }).fill('10.75')
  await form.getByText('add an item').click()
  await form.locator('[id="field-tags[1]"]').fill('snow')
  await form.getByLabel('send wind').check()
  await form.getByLabel('wind', { exact: true }).check()
  await form.getByLabel('send when').check()
  await form.getByLabel('which kind of value').selectOption({ label: 'days from now' })
  await form.locator('input#field-when').fill('4')
  await form.getByText('✓ the host takes these arguments').waitFor()
  await form.getByLabel('city').press('Control+Enter')
  const output = form.locator('.result pre')
  await output.waitFor()
  assert.deepEqual(JSON.parse(await textOf(output)), {
    city: 'Oslo',
    days: 2,
    units: 'imperial',
    place: { lat: 59.9, lon: 10.75 },
    tags: ['rain', 'snow'],
    wind: true,
    when: 4,
  })
  assert.match(await textOf(form.locator('.result h4')), /✓ done\s+[\d.]+ m?s/)
  await form.getByRole('button', { name: 'JSON' }).click()
  assert.match(await form.locator('textarea').inputValue(), /"city": "Oslo"/)
  assert.deepEqual(trouble, [])
})

test('DEV-2 a tool that needs approval runs once it is given, for this call alone', { skip }, async (t) => {
  const { page, go } = await inspect(t)
  await go('#/try/tool/umbrella')
  const form = page.getByRole('form', { name: 'call umbrella' })
  await form.getByRole('button', { name: 'run', exact: true }).click()
  await form.getByText('✗ failed').waitFor()
  await form.getByRole('button', { name: 'approve and run' }).click()
  await form.locator('.result pre', { hasText: 'opened' }).waitFor()
  await form.getByRole('button', { name: 'run', exact: true }).click()
  await form.getByText('needs approval').waitFor()
})

test('CMD-1 the command tree runs', { skip }, async (t) => {
  const { page, go } = await inspect(t)
  await go('#/try/command/weather')
  const line = page.getByLabel('command line')
  assert.equal(await line.inputValue(), 'weather')
  await page.getByRole('button', { name: 'imperial' }).click()
  assert.equal(await line.inputValue(), 'weather units imperial')
  await line.press('Enter')
  await page.locator('.result pre', { hasText: 'Now imperial' }).waitFor()
})

test('PRM-3 the prompt: stable blocks, owners, tokens, and what changed since the last turn', {
  skip,
}, async (t) => {
  const { page, go, plugin, trouble } = await inspect(t, { bundled: true })
  await go('#/turn')
  await page.getByLabel('prompt').fill('greet amber')
  await page.getByLabel('prompt').press('Enter')
  await page.locator('.answer', { hasText: 'Hello, amber!' }).waitFor()
  const rows = page.locator('.wire tbody tr')
  assert.match((await rows.locator('td:nth-child(1)').allInnerTexts()).join('\n'), /POST http.*data: \{/s)
  const decoded = (await rows.locator('td:nth-child(2)').allInnerTexts()).join('\n')
  assert.match(decoded, /tool\.requested.*greet.*tool\.completed.*text\s+Hello,/s)
  plugin.write('advice.md', 'Look out of the window first.')
  await go('#/prompt')
  const advice = page.locator('.blocks li', { hasText: 'weather · advice' })
  await advice.getByText('~ changed since the last turn').waitFor()
  assert.match(await textOf(advice), /stable\s+\d+/)
  assert.equal(await advice.getAttribute('class'), 'is-stable')
  assert.equal(await page.locator('.blocks li', { hasText: 'weather · moment' }).getAttribute('class'), '')
  assert.match(await textOf(page.locator('.figures')), /stable prefix \d+ of \d+ bytes/)
  assert.match(await textOf(page.locator('.shares')), /weather \d+ %/)
  assert.deepEqual(trouble, [])
})

test('STA-2 the bar at any width shows what drops first', { skip }, async (t) => {
  const { page, go } = await inspect(t)
  await go('#/screen?width=80')
  const bar = page.locator('.bar')
  await bar.getByText('storm from the west').waitFor()
  const order = page.locator('.drops tr')
  assert.match(await textOf(order.nth(0)), /1\s+warning\s+weather\s+dropPriority 20\s+shown/)
  await page.getByRole('button', { name: '48' }).click()
  await page.getByText('48 columns').waitFor()
  await page.getByLabel('width').focus()
  await page.getByLabel('width').fill('40')
  await order.nth(0).getByText('dropped').waitFor()
  assert.doesNotMatch(await textOf(bar), /storm/)
  assert.match(await textOf(order.nth(1)), /2\s+wind.*shown/s)
  assert.match(page.url(), /#\/screen\?width=40$/)
})

test('PAN-2 a panel takes keys while it has the keyboard, and the page has them back after Escape', {
  skip,
}, async (t) => {
  const { page, go } = await inspect(t)
  await go('#/screen/forecast')
  const panel = page.getByRole('application')
  await panel.getByText('day 3').waitFor()
  await page.keyboard.press('ArrowUp')
  await panel.getByText('day 4').waitFor()
  await page.getByText('up handled').waitFor()
  await page.keyboard.press('2')
  await page.getByText('2 not handled').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('2')
  await page.waitForURL(/#\/timeline/)
})

test('DEV-1 the keyboard alone reaches everything, and every view has an address', { skip }, async (t) => {
  const { page } = await inspect(t)
  for (const [index, tab] of ['ledger', 'timeline', 'try', 'prompt', 'screen', 'turn'].entries()) {
    await page.keyboard.press(String(index + 1))
    await page.waitForURL(new RegExp(`#/${tab}$`))
    assert.equal(
      await textOf(page.locator('.tabs [aria-current=page]')),
      `${index + 1} ${tab[0]?.toUpperCase()}${tab.slice(1)}`,
    )
  }
  await page.keyboard.press('1')
  await page.keyboard.press('j')
  await page.waitForURL(/#\/ledger\?plugin=weather$/)
  await page.keyboard.press('a')
  await page.waitForURL(/#\/ledger$/)
  await page.keyboard.press('?')
  const help = page.getByRole('dialog')
  await help.getByText('filter events').waitFor()
  await page.keyboard.press('Escape')
  await help.waitFor({ state: 'hidden' })
  await page.keyboard.press('/')
  await page.keyboard.type('swap weather')
  assert.ok((await page.locator('.log li').allInnerTexts()).every((line) => /swap.*weather/.test(line)))
  await page.keyboard.press('Escape')
  await page.keyboard.press('3')
  await page.waitForURL(/#\/try/)
  await page.goBack()
  await page.waitForURL(/#\/ledger/)
})

test('SAFE-5 what plugins write stays text: names, help, descriptions, output, findings', {
  skip,
}, async (t) => {
  const { page, go, plugin, rejected } = await inspect(t)
  await go('#/try/tool/hostile')
  await page.locator('article').getByText(HOSTILE).first().waitFor()
  await page.getByRole('button', { name: 'run', exact: true }).click()
  assert.equal(await textOf(page.locator('.result pre')), HOSTILE)
  await go('#/try/command/weather')
  await page.locator('.tree').getByText(HOSTILE).first().waitFor()
  plugin.write('index.ts', `const x = * '${HOSTILE}'`)
  await rejected('weather')
  await page.locator('.frame').getByText(HOSTILE).waitFor()
  for (const tab of ['ledger', 'timeline', 'prompt', 'screen', 'turn'])
    await go(`#/${tab}/${encodeURIComponent(HOSTILE)}?plugin=${encodeURIComponent(HOSTILE)}`)
  assert.equal(await page.evaluate('globalThis.pwned'), undefined)
  assert.equal(await page.locator('#inspector :is(img, script)').count(), 0)
})

test('DEV-1 a lost connection says so and comes back by itself', { skip }, async (t) => {
  const { page, plugin, server, swap } = await inspect(t)
  await page.route('**/api/events', (route) => route.abort())
  // The server has room for 32 who listen, and drops the one who came first.
  const crowd = new AbortController()
  const headers = { 'x-amber-token': server.token }
  const listen = () => fetch(`http://127.0.0.1:${server.port}/api/events`, { headers, signal: crowd.signal })
  await Promise.all(Array.from({ length: 32 }, listen))
  await page.getByText('connection lost, trying again').waitFor()
  crowd.abort()
  plugin.write(
    'index.ts',
    inspectedEntry((text) => text.replace("'opened'", "'wide open'")),
  )
  await swap('weather')
  await page.unroute('**/api/events')
  await page.getByText('● live').waitFor()
  await page.locator('.plugin', { hasText: 'weather' }).getByText('live 2').waitFor()
  await page.locator('.log').getByText('plugin.swapped').waitFor()
})

test('DEV-1 another server at the same port is told apart: the page says where to go', {
  skip,
}, async (t) => {
  const { page, server, app } = await inspect(t)
  await server.close()
  await page.getByText('connection lost, trying again').waitFor()
  const again = await startDevServer(
    { app, clock: systemClock, onEvent: () => {} },
    { folders: [], port: server.port },
  )
  atEnd(t, () => again.close())
  await page.getByText('open the address that amber dev printed').waitFor()
  await page.goto(again.url)
  await page.getByText('● live').waitFor()
})

for (const dark of [false, true]) {
  test(`DEV-1 the page fits from 400 to 2000 px, ${dark ? 'dark' : 'light'}`, { skip }, async (t) => {
    const { page, go, trouble } = await inspect(t, { dark, bundled: true })
    const ground = await page.evaluate('getComputedStyle(document.body).backgroundColor')
    assert.equal(ground, dark ? 'rgb(23, 24, 26)' : 'rgb(251, 251, 250)')
    for (const width of [400, 999, 1000, 2000]) {
      await page.setViewportSize({ width, height: 900 })
      for (const tab of [
        'ledger',
        'timeline',
        'try/tool/forecast',
        'try/command',
        'prompt',
        'screen?width=200',
        'turn',
      ]) {
        await go(`#/${tab}`)
        await page
          .locator(`main[aria-label=${tab.split(/[/?]/)[0]}] > *`)
          .first()
          .waitFor()
        assert.equal(await overflow(page), 0, `${tab} at ${width} px is wider than the window`)
      }
      const [left, middle, right] = await Promise.all(
        ['.plugins', 'main', 'aside'].map((name) => page.locator(name).boundingBox()),
      )
      if (!left || !middle || !right) throw new Error('a column is missing')
      const isBeside = left.x < middle.x && middle.x < right.x
      const isBelow = left.y < middle.y && middle.y < right.y
      assert.deepEqual([isBeside, isBelow], width >= 1000 ? [true, false] : [false, true], `at ${width} px`)
    }
    assert.deepEqual(trouble, [])
  })
}
