import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { findInstallation } from '../../host/base/installation.ts'
import { atEnd } from '../support/at-end.ts'
import { finishChunk, sendStream, startModelServer, textChunk } from '../support/model-server.ts'
import { pluginFolder } from '../support/plugin-folder.ts'
import { createRecordingSink } from '../support/recording-sink.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { testApp } from '../support/test-app.ts'

const installation = findInstallation(import.meta.url).folder
const DIALECT = JSON.stringify(join(installation, 'host', 'llm', 'openai', 'dialect.ts'))

test('PRO-4 the dialect is resolved once per client, however many requests it makes', async (t) => {
  const home = temporaryFolder(t)
  const asked = join(home, 'asked')
  const plugin = pluginFolder(home, 'acme')
  plugin.manifest({
    entry: './index.ts',
    capabilities: {
      providers: [
        {
          flavor: 'acme',
          ownDialect: true,
          presets: [
            { name: 'acme', apiBase: 'http://127.0.0.1:9/v1', defaultModel: 'm', requiresKey: false },
          ],
        },
      ],
    },
  })
  plugin.write(
    'index.ts',
    `import { appendFileSync } from 'node:fs'
     import { definePlugin } from 'amber-agent/sdk'
     import { openAiDialect } from ${DIALECT}
     export default definePlugin(() => ({
       providers: {
         acme: {
           dialect() {
             appendFileSync(${JSON.stringify(asked)}, 'x')
             return { ...openAiDialect, flavor: 'acme' }
           },
         },
       },
     }))`,
  )
  const server = await startModelServer((response) =>
    sendStream(response, textChunk('hello'), finishChunk(), '[DONE]'),
  )
  atEnd(t, () => server.close())
  mkdirSync(join(home, 'config', 'providers'), { recursive: true })
  writeFileSync(
    join(home, 'config', 'providers', 'acme.json'),
    JSON.stringify({ apiBase: `${server.origin}/v1`, model: 'm' }),
  )
  const env = { AMBER_HOME: home }
  const app = await testApp(t, { home, bundled: true, env, flags: [plugin.folder] })
  const agent = await app.createAgent({ provider: 'acme', mode: 'read', session: 'none' })
  for (let turn = 0; turn < 3; turn++) {
    const result = await agent.turn('hi', {
      signal: new AbortController().signal,
      sink: createRecordingSink(),
    })
    assert.equal(result.text, 'hello')
  }
  assert.equal(server.seen.length, 3)
  assert.equal(readFileSync(asked, 'utf8'), 'x')
})

test('PRO-4 the transport and the loop name no provider and no protocol', () => {
  const names =
    /['"](openai|anthropic|gemini|openrouter|deepseek|kilocode|commandcode|opencode_go|opencode_zen)['"]/
  const sources = ['llm', 'agent'].flatMap((room) => {
    const folder = join(installation, 'host', room)
    return readdirSync(folder, { withFileTypes: true })
      .filter((item) => item.isFile() && item.name.endsWith('.ts'))
      .map((item) => join(folder, item.name))
  })
  assert.ok(sources.length > 40)
  // What is chosen when nobody chose is the host's own protocol: the one place that may name it, before any client.
  const choosing = new Set(['select.ts', 'provider-rows.ts', 'provider-files.ts'])
  const naming = sources.filter(
    (path) => !choosing.has(path.slice(path.lastIndexOf('/') + 1)) && names.test(readFileSync(path, 'utf8')),
  )
  assert.deepEqual(naming, [])
})
