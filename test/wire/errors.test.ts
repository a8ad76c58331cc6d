import assert from 'node:assert/strict'
import { test } from 'node:test'
import { classifyResponse } from '../../host/llm/errors.ts'
import { openAiDialect } from '../../host/llm/openai/dialect.ts'
import { type LlmError, recordOf } from '../../sdk/index.ts'
import { corpusMissing, readCorpus } from '../support/wire-corpus.ts'

/** What each recorded body is, whether it is tried again, and what its remedy must name. */
const TABLE: Readonly<Record<string, readonly [LlmError['kind'], boolean, RegExp]>> = {
  'anthropic-400-context-overflow': ['context-overflow', false, /\/compress/],
  'anthropic-400-credit-balance': ['quota', false, /billing/],
  'anthropic-401': ['auth', false, /ACME_API_KEY/],
  'anthropic-429-rate-limit': ['rate-limit', true, /Wait/],
  'anthropic-529-overloaded': ['overloaded', true, /again/],
  'azure-429-rate-limit': ['rate-limit', true, /Wait/],
  'deepseek-400-context-overflow': ['context-overflow', false, /\/compress/],
  'deepseek-401': ['auth', false, /ACME_API_KEY/],
  'deepseek-402-insufficient-balance': ['quota', false, /billing/],
  'gateway-502-html': ['server', true, /again/],
  'gemini-400-bad-key': ['auth', false, /ACME_API_KEY/],
  'gemini-429-quota': ['rate-limit', true, /Wait/],
  'gemini-503-overloaded': ['overloaded', true, /again/],
  'groq-400-tool-use-failed': ['bad-request', false, /calling tools/],
  'groq-413-request-too-large': ['rate-limit', false, /\/compress/],
  'llamacpp-400-context-overflow': ['context-overflow', false, /\/compress/],
  'mistral-401': ['auth', false, /ACME_API_KEY/],
  'ollama-400-context-overflow': ['context-overflow', false, /\/compress/],
  'ollama-401': ['auth', false, /ACME_API_KEY/],
  'openai-400-context-overflow': ['context-overflow', false, /\/compress/],
  'openai-400-context-window': ['context-overflow', false, /\/compress/],
  'openai-400-unsupported-parameter': ['bad-request', false, /--model/],
  'openai-401': ['auth', false, /ACME_API_KEY/],
  'openai-429-insufficient-quota': ['quota', false, /billing/],
  'opencode-go-401': ['auth', false, /ACME_API_KEY/],
  'opencode-zen-429-free-usage': ['rate-limit', true, /Wait/],
  'openrouter-400-context-overflow': ['context-overflow', false, /\/compress/],
  'openrouter-401': ['auth', false, /ACME_API_KEY/],
  'openrouter-402-credits': ['quota', false, /billing/],
  'openrouter-429-upstream': ['rate-limit', true, /Wait/],
  'venice-404-error-string': ['not-found', false, /provider models acme/],
  'vertex-400-context-overflow': ['context-overflow', false, /\/compress/],
  'vllm-400-context-overflow': ['context-overflow', false, /\/compress/],
  'xai-400-context-overflow': ['context-overflow', false, /\/compress/],
}

const ENDPOINT = { provider: 'acme', model: 'acme-1', origin: 'https://acme.test', keyEnv: 'ACME_API_KEY' }

function classify(status: number, body: string) {
  const context = { endpoint: ENDPOINT, dialect: openAiDialect, secrets: [], now: 0 }
  return classifyResponse({ status, body, header: () => undefined }, context)
}

test('PRO-12 every recorded error has its kind, its retry and its remedy, and keeps the server’s words', (t) => {
  if (corpusMissing !== undefined) return t.skip(corpusMissing)
  const corpus = readCorpus('errors')
  assert.deepEqual(corpus.map(({ name }) => name).sort(), Object.keys(TABLE).sort())
  for (const { name, body, expected } of corpus) {
    const row = TABLE[name]
    assert.ok(row && typeof expected.status === 'number')
    const { error, contextWindow } = classify(expected.status, body.toString('utf8'))
    assert.deepEqual([error.kind, error.retryable], [row[0], row[1]], name)
    assert.match(error.hint, row[2], name)
    assert.equal(error.status, expected.status)
    assert.equal(expected.contextOverflow, error.kind === 'context-overflow', name)
    assert.equal(contextWindow ?? null, recordOf(expected.overflow)?.limitTokens ?? null, name)
    assert.ok(
      error.message.length > 20 && error.message.length < 700 && !/[\n{<]/.test(error.message),
      error.message,
    )
  }
  t.diagnostic(`${corpus.length} error bodies`)
})

test('PRO-12 the wait that Google asks for in the body is kept', () => {
  const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '48s' }]
  const body = JSON.stringify({ error: { code: 429, message: 'You exceeded your current quota', details } })
  const { error } = classify(429, body)
  assert.deepEqual([error.kind, error.retryAfterMs], ['rate-limit', 48_000])
})

test('PRO-12 a reason inside a gateway’s body, and a server without its template engine, are understood', () => {
  const raw = JSON.stringify({ error: { message: 'the real reason' } })
  const wrapped = JSON.stringify({ error: { message: 'Provider returned error', metadata: { raw } } })
  assert.match(classify(400, wrapped).error.message, /the real reason/)
  const jinja = classify(500, '{"error":{"code":500,"message":"tools param requires --jinja flag"}}').error
  assert.equal(jinja.retryable, false)
  assert.match(jinja.hint, /--jinja/)
})

test('PRO-12 nonsense of any status is an error with a sentence', () => {
  for (const status of [400, 404, 418, 429, 500, 599]) {
    for (const body of [
      '',
      '\u0000\u0001',
      '[]',
      '{"error":{}}',
      'x'.repeat(100_000),
      '{"error":"\\ud83d"}',
    ]) {
      const { error } = classify(status, body)
      assert.ok(error.message.startsWith('acme '), error.message)
      assert.ok(error.message.length < 700)
    }
  }
})
