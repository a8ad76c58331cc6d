import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { launchBrowser, noBrowser } from '../support/browser.ts'
import { inspectedEntry, inspectedPlugin } from '../support/inspected-plugin.ts'

/** What recording the inspector needs. */
export interface InspectorScreens {
  /** The built command. */
  readonly amber: string
  /** An empty folder. */
  readonly home: string
  readonly env: Readonly<Record<string, string>>
  /** Where a picture goes. */
  readonly fileOf: (name: string) => string
}

/** Runs the built dev server over a plugin, breaks the plugin, and keeps two pictures of the page in a real browser. */
export async function recordInspector({ amber, home, env, fileOf }: InspectorScreens): Promise<void> {
  if (noBrowser !== false) throw new Error(noBrowser)
  const plugin = inspectedPlugin(home, { polite: true })
  const dev = spawn(process.execPath, [amber, 'dev', plugin.folder, '--json'], { cwd: home, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const browser = await launchBrowser()
  try {
    const lines = createInterface({ input: dev.stdout })[Symbol.asyncIterator]()
    const next = async (type: string): Promise<{ readonly url?: string }> => {
      for (;;) {
        const { value, done } = await lines.next()
        if (done) throw new Error(`amber dev ended before it told of ${type}`)
        const event = JSON.parse(value)
        if (event.type === type) return event
      }
    }
    const { url = '' } = await next('ready')
    const page = await browser.newPage({ viewport: { width: 1100, height: 600 } })
    await page.goto(url)
    for (const words of ['opened wide', 'opened, but late', 'opened at once']) {
      plugin.write('index.ts', inspectedEntry((text) => text.replace("'opened'", `'${words}'`)))
      await next('swap')
    }
    plugin.write('index.ts', inspectedEntry((text) => text.replace('JSON.stringify(args)', 'JSON.stringify(args')))
    await next('rejected')
    await page.locator('.problem').waitFor()
    await page.goto(`${new URL(url).origin}/#/timeline`)
    await page.locator('.swaps li').nth(4).waitFor()
    await page.screenshot({ path: fileOf('inspector-light') })
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.goto(`${new URL(url).origin}/#/try/tool/forecast?plugin=weather`)
    const form = page.getByRole('form', { name: 'call forecast' })
    await form.getByLabel('city').fill('Oslo')
    await form.getByLabel('days', { exact: true }).fill('90')
    await form.getByText('the host would refuse').waitFor()
    await page.screenshot({ path: fileOf('inspector-dark') })
  } finally {
    await browser.close()
    const ended = once(dev, 'exit')
    dev.kill('SIGINT')
    await ended
  }
}
