import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { generateTypes } from '../../manifests/generate-types.ts'
import { readManifest } from '../../manifests/read-manifest.ts'
import { launchBrowser, noBrowser } from '../support/browser.ts'
import { plainManifest, plainTool } from '../support/plugin-folder.ts'
import { amber, type DevProcess, listenToSwaps, processorMs, residentMb, startAmberDev } from './amber-dev.ts'
import { ms, plainEnvironment, report, summarise } from './measure.ts'
import { workshopEntry, workshopPlugin } from './workshop-plugins.ts'

const SIZES = [
  { files: 1, rounds: 60 },
  { files: 50, rounds: 40 },
  { files: 500, rounds: 20 },
]
/** Saves come at a person's pace: further apart than a watcher's own windows, and than a type check. */
const BETWEEN_SAVES_MS = 500
const WARM_UP = 3
const WATCHED = 50
const IDLE_MS = 20_000

const home = realpathSync(mkdtempSync(join(tmpdir(), 'amber-bench-')))

/** A text of which every letter is another than in the one before: a terminal that draws differences draws all of it. */
const markOf = (round: number) =>
  (round % 2 === 0 ? 'aeiou' : 'klmnp').repeat(2) + String(round).padStart(4, '0')

/** Times from a save to what `arrive` waits for, over rounds; each saves another text. */
async function timeSaves(
  plugin: { readonly files: number; readonly rounds: number; write(text: string): void },
  arrive: (mark: string) => Promise<number>,
): Promise<readonly number[]> {
  const times: number[] = []
  for (let round = -WARM_UP; round < plugin.rounds; round += 1) {
    await pause(BETWEEN_SAVES_MS)
    const mark = markOf(round + WARM_UP)
    const text = workshopEntry('saved', plugin.files, mark)
    const arrived = arrive(mark)
    const started = performance.now()
    plugin.write(text)
    const at = await arrived
    if (round >= 0) times.push(at - started)
  }
  return times
}

const told = ({ p50, p95 }: { readonly p50: number; readonly p95: number }) =>
  `p50 ${ms(p50)}  p95 ${ms(p95)}`

/** Times at which a page of the inspector had the bytes of a swap, and had drawn the new generation. */
async function openPage(dev: DevProcess) {
  if (noBrowser) return undefined
  const browser = await launchBrowser()
  const page = await browser.newPage()
  await page.addInitScript(`
    globalThis.swapTimes = []; globalThis.drawTimes = [];
    const plain = fetch;
    globalThis.fetch = async (url, init) => {
      const answer = await plain(url, init);
      if (!String(url).endsWith('/api/events') || !answer.body) return answer;
      const [mine, theirs] = answer.body.tee();
      (async () => {
        const reader = mine.getReader(); const decoder = new TextDecoder();
        for (;;) {
          const { value, done } = await reader.read();
          if (done) return;
          if (decoder.decode(value, { stream: true }).includes('event: swap\\n')) swapTimes.push(Date.now());
        }
      })();
      return new Response(theirs, { status: answer.status, headers: answer.headers });
    };`)
  await page.goto(dev.url)
  await page.getByText('● live').waitFor()
  await page.locator('.plugin').getByText('saved', { exact: true }).waitFor()
  await page.evaluate(`{
    let last = '';
    new MutationObserver(() => {
      const now = document.querySelector('.plugins')?.innerText.match(/live \\d+/g)?.join() ?? '';
      if (now !== last) { last = now; requestAnimationFrame(() => drawTimes.push(Date.now())); }
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  }`)
  const last = async (name: string): Promise<number> => Number(await page.evaluate(`${name}.at(-1) ?? 0`))
  return { last, close: () => browser.close() }
}

/** From a save to the event at a plain client and at the page, and to what the page shows. */
async function toTheInspector({ files, rounds }: (typeof SIZES)[number]): Promise<void> {
  const plugin = workshopPlugin(join(home, `of-${files}`), 'saved', files)
  const dev = await startAmberDev(join(home, `home-${files}`), [plugin.folder])
  const page = await openPage(dev)
  let heard = (_: number) => {}
  const stop = listenToSwaps(dev, (at) => heard(at))
  const received: number[] = []
  const drawn: number[] = []
  let savedAt = 0
  const times = await timeSaves(
    {
      files,
      rounds,
      write(text) {
        savedAt = Date.now()
        plugin.write('index.ts', text)
      },
    },
    async () => {
      const at = await new Promise<number>((resolve) => {
        heard = resolve
      })
      if (page) {
        await pause(150)
        received.push((await page.last('swapTimes')) - savedAt)
        drawn.push((await page.last('drawTimes')) - savedAt)
      }
      return at
    },
  )
  const plain = summarise(times)
  report(`${files} files: event at a plain client`, told(plain))
  if (page) {
    const { p50, p95 } = summarise(received.slice(WARM_UP))
    const target = files === 1 ? { text: 'p50 <= 40 ms', met: p50 <= 40 } : undefined
    report(`${files} files: event at the page`, told({ p50, p95 }), target)
    report(`${files} files: drawn by the page`, told(summarise(drawn.slice(WARM_UP))))
  } else report('event at the page', String(noBrowser))
  stop()
  await page?.close()
  await dev.end()
}

/** From a save to the bytes of the frame that shows it, on a terminal of its own. */
async function toTheScreen({ files, rounds }: (typeof SIZES)[number]): Promise<void> {
  const plugin = workshopPlugin(join(home, `screen-of-${files}`), 'saved', files)
  const folder = join(home, `screen-home-${files}`)
  mkdirSync(folder)
  const command = `stty cols 160 rows 40; exec '${process.execPath}' '${amber}' --no-session --dev --plugin '${plugin.folder}'`
  const env = {
    ...plainEnvironment({ AMBER_HOME: folder, LANG: 'C.UTF-8', TERM: 'xterm-256color' }),
    SHELL: '/bin/sh',
  }
  const child = spawn('script', ['-qfc', command, '/dev/null'], {
    env,
    cwd: folder,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  let seen = ''
  let look = () => {}
  child.stdout.on('data', (chunk) => {
    seen = (seen + String(chunk)).slice(-200_000)
    look()
  })
  const shows = (what: string) =>
    new Promise<number>((resolve) => {
      look = () => {
        if (seen.includes(what)) resolve(performance.now())
      }
      look()
    })
  await shows('rehearsal')
  await pause(2_000)
  const times = await timeSaves(
    { files, rounds: Math.min(rounds, 30), write: (text) => plugin.write('index.ts', text) },
    shows,
  )
  report(`${files} files: painted by the screen`, told(summarise(times)))
  const ended = new Promise((resolve) => child.on('close', resolve))
  child.stdin.write('\x04')
  await ended
}

/** What a dev server over many plugins costs while nobody saves. */
async function idle(): Promise<void> {
  const parent = join(home, 'many')
  for (let index = 0; index < WATCHED; index += 1) workshopPlugin(parent, `watched_${index}`, 3)
  const started = performance.now()
  const dev = await startAmberDev(join(home, 'home-many'), [parent])
  report(`${WATCHED} plugins: live after`, ms(performance.now() - started))
  // Types are written and checked after that, one plugin after another.
  for (let last = -1; processorMs(dev.pid) - last > 20; await pause(4_000)) last = processorMs(dev.pid)
  report(`${WATCHED} plugins: types written and checked after`, ms(performance.now() - started))
  const before = processorMs(dev.pid)
  await pause(IDLE_MS)
  const share = ((processorMs(dev.pid) - before) / IDLE_MS) * 100
  report(`${WATCHED} plugins: idle`, `${share.toFixed(2)} % of a core over ${IDLE_MS / 1000} s`, {
    text: '< 0.5 %',
    met: share < 0.5,
  })
  report(`${WATCHED} plugins: memory`, `${residentMb(dev.pid).toFixed(0)} MB resident`)
  await dev.end()
}

/** What writing `plugin.types.ts` costs, once the generator is loaded. */
async function typeGeneration(): Promise<void> {
  for (const tools of [1, 20]) {
    const parameters = {
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: 8 }, (_, index) => [
          `p${index}`,
          { type: 'array', items: { enum: ['a', 'b', index] } },
        ]),
      ),
    }
    const declared = Array.from({ length: tools }, (_, index) => ({
      ...plainTool(`tool_${index}`),
      parameters,
    }))
    const text = JSON.stringify({
      ...plainManifest('typed'),
      entry: './index.ts',
      capabilities: { tools: declared },
    })
    const file = join(home, 'plugin.json')
    writeFileSync(file, text)
    const { manifest } = await readManifest(text, file, { amberVersion: '0.1.0' })
    if (!manifest) throw new Error('the manifest is invalid')
    const times: number[] = []
    for (let round = -3; round < 30; round += 1) {
      const started = performance.now()
      await generateTypes(manifest, { file, text })
      if (round >= 0) times.push(performance.now() - started)
    }
    report(`types of ${tools} tool${tools === 1 ? '' : 's'}`, told(summarise(times)))
  }
}

process.stdout.write('workshop\n')
try {
  for (const size of SIZES) await toTheInspector(size)
  for (const size of SIZES) await toTheScreen(size)
  await typeGeneration()
  await idle()
} finally {
  rmSync(home, { recursive: true, force: true })
}
process.exit(0)
