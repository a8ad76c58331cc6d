import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { openAiDialect } from '../../host/llm/openai/dialect.ts'
import { prepareRequest } from '../../host/llm/prepare.ts'
import { anthropicDialect } from '../../plugins/anthropic/dialect.ts'
import { geminiDialect } from '../../plugins/gemini/dialect.ts'
import type { ChatRequest, Dialect } from '../../sdk/index.ts'
import { createAgentFixture } from '../support/agent-fixture.ts'
import { handMadeBlock, handMadeTool, toolMap } from '../support/hand-made.ts'

/** The requests of three turns with calls in them, in which one tail block says something else every time. */
async function threeTurns(): Promise<readonly ChatRequest[]> {
  let now = 0
  const fixture = createAgentFixture({
    steps: [
      {
        calls: [
          ['read', { path: 'a.ts' }],
          ['read', { path: 'b.ts' }],
        ],
      },
      { text: 'Both are empty.' },
      { text: 'I am sure.' },
      { text: 'One moment.', calls: [['read', { path: 'c.ts' }]] },
      { text: 'Nothing there.' },
    ],
    snapshot: {
      tools: toolMap(handMadeTool('read', () => ({ ok: true, output: 'nothing' }), { readOnly: true })),
      promptBlocks: [
        handMadeBlock('rules', 'Be brief.', { placement: 'system' }),
        handMadeBlock('facts', 'The shop sells carts.', { placement: 'head' }),
        handMadeBlock('clock', '', {
          render: async () => ({ kind: 'value', value: `It is ${++now} o'clock.` }),
        }),
      ],
    },
  })
  for (const prompt of ['look', 'sure?', 'and c?']) await fixture.turn(prompt)
  return fixture.client.requests
}

type Body = Readonly<Record<string, unknown>>

/** A body in the order in which a server reads it into its cache, piece by piece; the tail is in the last ones. */
const READING: Readonly<
  Record<string, { readonly dialect: Dialect; pieces(body: Body): readonly unknown[] }>
> = {
  openai: {
    dialect: openAiDialect,
    pieces: ({ model, tools, messages }) => [{ model, tools }, ...listOf(messages)],
  },
  anthropic: {
    dialect: anthropicDialect,
    pieces: ({ model, tools, system, messages }) => [{ model, tools, system }, ...listOf(messages)],
  },
  gemini: {
    dialect: geminiDialect,
    pieces: ({ tools, systemInstruction, contents }) => [{ tools, systemInstruction }, ...listOf(contents)],
  },
}

function listOf(value: unknown): readonly unknown[] {
  assert.ok(Array.isArray(value))
  return value
}

/** One hash for each prefix: of the first piece, of the first two, … Marks of the cache are no content. */
function prefixHashes(pieces: readonly unknown[]): readonly string[] {
  const hash = createHash('sha256')
  return pieces.map((piece) => {
    hash.update(JSON.stringify(piece, (key, value) => (key === 'cache_control' ? undefined : value)))
    return hash.copy().digest('hex')
  })
}

for (const [flavor, { dialect, pieces }] of Object.entries(READING)) {
  test(`PRM-3 each request begins with all that the one before it began with: ${flavor}`, async () => {
    const requests = await threeTurns()
    assert.equal(requests.length, 5)
    const model = 'm-1'
    const hashes = requests.map((request) => {
      const prepared = prepareRequest(request, { flavor: dialect.flavor, model }).request
      return prefixHashes(pieces(dialect.buildChatBody({ apiBase: '', apiKey: '', model }, prepared)))
    })
    for (const [at, earlier] of hashes.entries()) {
      const later = hashes[at + 1]
      if (later === undefined) continue
      // The last piece is the tail, or the message that it rides on.
      const stable = earlier.slice(0, -1)
      assert.ok(stable.length >= 1)
      assert.deepEqual(later.slice(0, stable.length), stable, `request ${at + 2}`)
      assert.ok(later.length > earlier.length - 1)
    }
  })

  test(`PRM-3 the same request gives the same bytes: ${flavor}`, async () => {
    const bytes = async () =>
      (await threeTurns()).map((request) =>
        JSON.stringify(
          dialect.buildChatBody(
            { apiBase: '', apiKey: '', model: 'm-1' },
            prepareRequest(request, { flavor: dialect.flavor, model: 'm-1' }).request,
          ),
        ),
      )
    assert.deepEqual(await bytes(), await bytes())
  })
}
