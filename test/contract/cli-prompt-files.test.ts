import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openAiDialect } from '../../host/llm/openai/dialect.ts'
import { readPromptFiles, splitFiles } from '../../host/workspace/prompt-files.ts'
import { createWorkspaceService } from '../../host/workspace/workspace-service.ts'
import { createTempTree, type TreeEntry } from '../support/temp-tree.ts'

const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(20)])

async function read(t: TestContext, prompt: string, entries: Readonly<Record<string, TreeEntry>>) {
  const root = await createTempTree(t, entries)
  return readPromptFiles(prompt, createWorkspaceService({ workspace: join(root, 'ws') }))
}

test('interfaces 2: @path adds a text file at the prompt’s end', async (t) => {
  const entries = { 'ws/a.txt': 'alpha\n', 'ws/b c.txt': 'beta' }
  const { text, images, notices } = await read(t, 'Compare @a.txt, (@"b c.txt") and @a.txt.', entries)
  assert.equal(
    text,
    'Compare @a.txt, (@"b c.txt") and @a.txt.\n\n<file path="a.txt">\nalpha\n</file>\n\n<file path="b c.txt">\nbeta\n</file>',
  )
  assert.deepEqual([images, notices], [[], []])
})

test('interfaces 2: an image goes as an image, by what it is and not by its name', async (t) => {
  const { text, images } = await read(t, 'what is @shot.txt?', { 'ws/shot.txt': PNG })
  assert.equal(text, 'what is @shot.txt?')
  assert.deepEqual(images, [{ mimeType: 'image/png', base64: PNG.toString('base64') }])
  const body = openAiDialect.buildChatBody(
    { apiBase: '', apiKey: '', model: 'm' },
    { messages: [{ role: 'user', text, images }], tools: [], stream: false },
  )
  assert.deepEqual(Object(body.messages)[0].content[1], {
    type: 'image_url',
    image_url: { url: `data:image/png;base64,${PNG.toString('base64')}` },
  })
})

test('interfaces 2: a word that names no file stays a word', async (t) => {
  const prompt = 'ask @amber, mail me@home.org, use @Injectable'
  assert.deepEqual(await read(t, prompt, { 'ws/.keep': '' }), {
    text: prompt,
    images: [],
    files: [],
    notices: [],
  })
})

test('SAFE-1 what is outside, linked outside, missing, a folder or binary is left out and told', async (t) => {
  const { text, images, notices } = await read(t, '@../secret @link @no/such.ts @dir @bin', {
    secret: 'secret',
    'ws/link': { link: '../secret' },
    'ws/dir/x': '',
    'ws/bin': Buffer.from([1, 0, 2]),
  })
  assert.equal(text, '@../secret @link @no/such.ts @dir @bin')
  assert.deepEqual(images, [])
  assert.equal(notices.length, 5)
  assert.ok(!notices.some((notice) => notice.includes('secret"\nsecret')))
})

test('TOOL-8 a large file is cut without splitting a character, and all of them together are bounded', async (t) => {
  const entries = Object.fromEntries(
    Array.from({ length: 6 }, (_, at) => [`ws/f${at}.txt`, 'é'.repeat(200_000)]),
  )
  const { text, notices } = await read(t, '@f0.txt @f1.txt @f2.txt @f3.txt @f4.txt @f5.txt', entries)
  assert.ok(Buffer.byteLength(text) < 1024 * 1024 + 2_000)
  assert.doesNotMatch(text, /\ufffd/)
  assert.equal(notices.length, 6)
})

test('interfaces 2: what the user wrote comes apart again from the files that went with it', async (t) => {
  const odd = 'before\n\n<file path="x">\nnot the end\n</file>\n\nafter'
  for (const prompt of ['see @a.txt', 'plain', odd, `${odd} @a.txt @"b \\c.txt"`]) {
    const entries = { 'ws/a.txt': 'alpha\n\n\n<file>\n', 'ws/b \\c.txt': '', 'ws/x': 'x' }
    const { text, files } = await read(t, prompt, entries)
    assert.deepEqual(splitFiles(text), { text: prompt, files }, prompt)
  }
})

test('interfaces 2: many words with @ that name no file are told in one line', async (t) => {
  const { notices } = await read(t, 'import @a/b @c/d @e/f @g/h', { 'ws/x': '' })
  assert.deepEqual(notices, ['4 words that begin with @ name no file; they stay words.'])
  assert.equal((await read(t, 'see @a/b', { 'ws/x': '' })).notices.length, 1)
})
