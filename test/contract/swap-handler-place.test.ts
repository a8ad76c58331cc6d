import assert from 'node:assert/strict'
import test from 'node:test'
import { placeOfHandler } from '../../host/plugin/handler-place.ts'
import { processorMs } from '../support/processor-time.ts'

const SOURCE = `import { panels,
  tools } from './x.ts' // tools: { rain: {} }
const tools = 'rain:', more = { rain: { tools: 1 } }
export default definePlugin((host) => ({
  statusSegments: { rain: () => '' },
  tools: {
    sun: { execute: () => rain(1) },
    "rain": { execute() {} },
    async fog() {},
    snow,
  },
  commands: { rain: { 'set.units': () => '', [\`now\`]: () => '' } },
}))
`

/** What stands at the place that is found. */
function found(...path: string[]): string | undefined {
  const place = placeOfHandler(SOURCE, path)
  if (place === undefined) return undefined
  const line = SOURCE.split('\n')[place.line - 1] ?? ''
  return `${place.line} ${line.slice(place.column - 1, place.column - 1 + place.length)}`
}

test('SWAP-10 a handler is found where the code writes it down, not in comments, texts or other sections', () => {
  assert.equal(found('tools', 'rain'), '8 "rain"')
  assert.equal(found('tools', 'fog'), '9 fog')
  assert.equal(found('tools', 'snow'), '10 snow')
  assert.equal(found('statusSegments', 'rain'), '5 rain')
  assert.equal(found('commands', 'rain', 'set.units'), "12 'set.units'")
  assert.equal(found('commands', 'rain', 'now'), '12 [`now`]')
  assert.equal(found('panels'), undefined)
  assert.equal(found('tools', 'hail'), undefined)
  assert.equal(found('tools', '(.*'), undefined)
})

test('SWAP-10 looking for a handler takes no longer for a source that is made to hold it up', async () => {
  for (const part of ['tools: ', "'", '/*', '[`', 'tools  ']) {
    const spent = await processorMs(() => placeOfHandler(part.repeat(60_000), ['tools', 'rain']))
    assert.ok(spent < 2_000, `${part}: ${spent} ms`)
  }
})
