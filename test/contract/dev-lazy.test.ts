import assert from 'node:assert/strict'
import { join } from 'node:path'
import test from 'node:test'
import { startDevServer } from '../../devserver/index.ts'
import { systemClock } from '../../host/base/clock.ts'
import { atEnd } from '../support/at-end.ts'
import { pluginFolder } from '../support/plugin-folder.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { testApp } from '../support/test-app.ts'

test('MAN-3 the first answer about a bar or a panel waits for code that nobody has needed yet', async (t) => {
  const home = temporaryFolder(t)
  const plugin = pluginFolder(join(home, 'config', 'plugins'), 'lazy')
  plugin.manifest({
    entry: './index.ts',
    capabilities: {
      statusSegments: [{ name: 'lazy' }],
      panels: [
        { id: 'keys', title: 'Keys' },
        { id: 'drawn', title: 'Drawn' },
      ],
    },
  })
  plugin.write(
    'index.ts',
    `import { definePlugin } from 'amber-agent/sdk'
const keys: string[] = []
export default definePlugin<any>(() => ({
  statusSegments: { lazy: () => ({ text: 'here', tone: 'good' }) },
  panels: {
    keys: { lines: () => keys, onKey: (key) => keys.push(key) > 0 },
    drawn: { lines: (width) => ['width ' + width] },
  },
}))
`,
  )
  for (const ask of ['panels/keys/keys', 'panels/drawn?width=33', 'status?width=200'] as const) {
    const app = await testApp(t, { home, bundled: true })
    const server = await startDevServer(
      { app, clock: systemClock, onEvent: () => {} },
      { folders: [], port: 0 },
    )
    atEnd(t, () => server.close())
    const post = ask.endsWith('keys') ? { method: 'POST', body: '{"key": "r"}' } : {}
    const answer = await fetch(new URL(`/api/${ask}`, server.url), {
      headers: { 'x-amber-token': server.token, 'content-type': 'application/json' },
      ...post,
    })
    const body = await answer.json()
    if (ask === 'panels/keys/keys') assert.deepEqual(body, { handled: true })
    else if (ask.startsWith('panels')) assert.deepEqual(body, { lines: ['width 33'] })
    else assert.match(body.text, /here/)
  }
})
