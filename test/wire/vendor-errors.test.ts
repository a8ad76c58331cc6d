import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Classified, classifyResponse } from '../../host/llm/errors.ts'
import { anthropicDialect } from '../../plugins/anthropic/dialect.ts'
import { geminiDialect } from '../../plugins/gemini/dialect.ts'
import type { Dialect } from '../../sdk/index.ts'
import { corpusMissing, readCorpus } from '../support/wire-corpus.ts'

function named(dialect: Dialect, status: number, body: string): Classified {
  return classifyResponse(
    { status, body, header: () => undefined },
    {
      endpoint: { provider: 'acme', model: 'acme-1', origin: 'https://acme.test' },
      dialect,
      secrets: [],
      now: 0,
    },
  )
}

/** What each recorded error of these two vendors is, and whether another try may help. */
const KINDS: Readonly<Record<string, readonly [Dialect, string, boolean]>> = {
  'anthropic-400-context-overflow': [anthropicDialect, 'context-overflow', false],
  'anthropic-400-credit-balance': [anthropicDialect, 'quota', false],
  'anthropic-401': [anthropicDialect, 'auth', false],
  'anthropic-429-rate-limit': [anthropicDialect, 'rate-limit', true],
  'anthropic-529-overloaded': [anthropicDialect, 'overloaded', true],
  'gemini-400-bad-key': [geminiDialect, 'auth', false],
  'gemini-429-quota': [geminiDialect, 'rate-limit', true],
  'gemini-503-overloaded': [geminiDialect, 'overloaded', true],
  'vertex-400-context-overflow': [geminiDialect, 'context-overflow', false],
}

test('PRO-12 every recorded error of Anthropic and Google is named, with the window that it teaches', (t) => {
  if (corpusMissing !== undefined) return t.skip(corpusMissing)
  const fixtures = readCorpus('errors').filter(({ name }) => name in KINDS)
  assert.equal(fixtures.length, Object.keys(KINDS).length)
  for (const { name, body, expected } of fixtures) {
    const [dialect, kind, retryable] = KINDS[name] ?? [anthropicDialect, '', false]
    const { error, contextWindow } = named(dialect, Number(expected.status), body.toString('utf8'))
    assert.deepEqual([error.kind, error.retryable], [kind, retryable], name)
    const { overflow } = expected
    const limit =
      typeof overflow === 'object' && overflow !== null && 'limitTokens' in overflow
        ? overflow.limitTokens
        : undefined
    assert.equal(contextWindow, limit, name)
  }
})

test('PRO-12 an overflow of input and max_tokens together names the window, too', () => {
  const message =
    'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input'
  const body = JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message } })
  const { error, contextWindow } = named(anthropicDialect, 400, body)
  assert.equal(error.kind, 'context-overflow')
  assert.equal(contextWindow, 200_000)
})

test('PRO-12 R6 a rate limit that speaks of tokens is no overflow', () => {
  const message = 'This request would exceed the rate limit of 20,000 input tokens per minute.'
  const body = JSON.stringify({ type: 'error', error: { type: 'rate_limit_error', message } })
  const { error, contextWindow } = named(anthropicDialect, 429, body)
  assert.deepEqual([error.kind, contextWindow], ['rate-limit', undefined])
})
