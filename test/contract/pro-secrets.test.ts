import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createSecrets } from '../../host/llm/secrets.ts'
import { runCommandLine } from '../support/command-line.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const KEY = 'cnryQz9liveWatchMe0123456789abc'

test('PRO-13 keys of provider files, and of variables of any name, are secrets to the log', () => {
  const secrets = createSecrets({
    SOME_TOKEN: 'token-of-something',
    ODD: 'key-in-odd-variable',
    PATH: '/usr/local/bin',
  })
  const files = new Map([
    ['a', { apiKey: KEY }],
    ['b', { apiKeyEnv: 'ODD' }],
  ])
  secrets.learn({
    env: { ODD: 'key-in-odd-variable' },
    files,
    providers: { presets: new Map(), flavors: new Map() },
  })
  assert.deepEqual(secrets.all(), ['token-of-something', KEY, 'key-in-odd-variable'])
})

const MISTAKES: Readonly<Record<string, string>> = {
  'a comma that is missing': `{ "apiBase": "http://127.0.0.1:9", "apiKey": "${KEY}" "model": "m" }`,
  'a field that is misspelt': JSON.stringify({ apiBase: 'http://127.0.0.1:9', apiKy: KEY }),
  'the key in the place of its variable': JSON.stringify({
    apiBase: 'http://127.0.0.1:9',
    apiKeyEnv: `${KEY}-`,
  }),
  'the key in the place of the address': JSON.stringify({ apiBase: KEY, model: 'm' }),
  'the key in the place of the protocol': JSON.stringify({
    apiBase: 'http://127.0.0.1:9',
    flavor: `${KEY}!`,
  }),
  'a long key in the place of its variable': JSON.stringify({ apiKeyEnv: `${KEY.repeat(9)}-` }),
  'a text that never ends': `{ "apiKey": "${KEY}`,
}

for (const [what, text] of Object.entries(MISTAKES)) {
  test(`PRO-13 what is said of a broken provider file does not quote the key: ${what}`, async (t) => {
    const home = temporaryFolder(t)
    mkdirSync(join(home, 'config', 'providers'), { recursive: true })
    writeFileSync(join(home, 'config', 'providers', 'acme.json'), text)
    for (const argv of [['run', 'hi', '--provider', 'acme'], ['provider', 'list'], ['doctor']]) {
      const env = { AMBER_DEBUG: '1' }
      const { out, err } = await runCommandLine([...argv, '--no-plugins', '--no-session'], { home, env })
      assert.ok(!(out + err).includes(KEY.slice(0, 12)), out + err)
    }
  })
}
