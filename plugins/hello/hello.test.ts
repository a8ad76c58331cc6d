import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callHandler, createTestPluginHost, testCall } from '../../test/support/plugin-host.ts'
import hello from './index.ts'

const host = createTestPluginHost({ id: 'hello' })
const signal = new AbortController().signal

test('CMD-7 /hello greet greets the argument, and the world without one', async () => {
  const greet = await callHandler(hello, host, ['commands', 'hello', 'greet'])
  assert.equal(await greet({ text: 'amber', words: ['amber'], signal }), 'Hello, amber!')
  assert.equal(await greet({ text: '', words: [], signal }), 'Hello, world!')
})

test('TOOL-1 the tool greet greets by name and has a summary', async () => {
  const greet = await callHandler(hello, host, ['tools', 'greet', 'execute'])
  assert.deepEqual(await greet({ name: 'amber' }, testCall()), { ok: true, output: 'Hello, amber!' })
  assert.deepEqual(await greet({}, testCall()), { ok: true, output: 'Hello, world!' })
  const summarize = await callHandler(hello, host, ['tools', 'greet', 'summarize'])
  assert.equal(summarize({ name: 'amber' }), 'amber')
})
