import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { InstalledSkill } from '../../host/registry/snapshot.ts'
import { readSkillText } from '../../host/workspace/skills/front-matter.ts'
import { createSkillService } from '../../host/workspace/skills/skill-service.ts'
import { handMadeSnapshot } from '../support/hand-made.ts'
import { createTempTree, type TreeEntry } from '../support/temp-tree.ts'

const skill = (name: string, description = 'What it is for.', body = 'Do it.\n') =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}`

async function serviceOf(
  t: TestContext,
  entries: Readonly<Record<string, TreeEntry>>,
  options: { readonly trusted?: boolean; readonly plugins?: readonly InstalledSkill[] } = {},
) {
  const root = await createTempTree(t, { 'ws/.keep': '', ...entries })
  const skills = new Map((options.plugins ?? []).map((one) => [one.name, one]))
  const service = createSkillService({
    snapshot: () => handMadeSnapshot({ skills }),
    userFolder: join(root, 'user'),
    workspace: async () => join(root, 'ws'),
    isTrusted: async () => options.trusted ?? true,
  })
  const names = async () => (await service.list()).skills.map(({ name, origin }) => `${origin} ${name}`)
  return { root, service, names }
}

const ofPlugin = (name: string, text: string): InstalledSkill => ({
  name,
  plugin: `plugin_${name}`,
  description: 'From a plugin.',
  read: async () => ({ kind: 'value', value: text }),
})

test('SKL-1 user, workspace and plugin sources; each body is read on demand, without its front matter', async (t) => {
  const { service, names } = await serviceOf(
    t,
    { 'user/tea/SKILL.md': skill('tea'), 'ws/.amber/skills/ship/SKILL.md': skill('ship') },
    { plugins: [ofPlugin('cook', skill('cook', 'x', 'Stir.\n'))] },
  )
  assert.deepEqual(await names(), ['plugin cook', 'workspace ship', 'user tea'])
  const read = await service.read('cook')
  assert.ok(read.ok && read.body === 'Stir.\n')
  const own = await service.read('tea')
  assert.ok(own.ok && own.body === 'Do it.\n')
})

test('SAFE-4 SKL-1 a workspace’s skills are used once it is trusted', async (t) => {
  const { names } = await serviceOf(
    t,
    { 'ws/.amber/skills/ship/SKILL.md': skill('ship') },
    { trusted: false },
  )
  assert.deepEqual(await names(), [])
})

test('L25 a name that YAML takes for a boolean and a description that is a list spoil those alone', async (t) => {
  const { service, names } = await serviceOf(t, {
    'user/a/SKILL.md': '---\nname: on\ndescription: x\n---\n',
    'user/b/SKILL.md': '---\nname: b\ndescription: [a]\n---\n',
    'user/c/SKILL.md': '---\nname: 7\ndescription: x\n---\n',
    'user/d/SKILL.md': '---\nname: d\n---\n',
    'user/e/SKILL.md': 'no front matter',
    'user/f/SKILL.md': '---\nname: {{{\n---\n',
    'user/good/SKILL.md': skill('good'),
  })
  assert.deepEqual(await names(), ['user good'])
  const { problems } = await service.list()
  assert.equal(problems.length, 6)
  for (const [at, words] of [
    'takes? for true',
    'a list',
    'a number',
    'missing',
    'front matter',
    'no YAML',
  ].entries()) {
    assert.match(problems[at] ?? '', new RegExp(words))
  }
})

test('L21 a linked folder and a linked SKILL.md count, a dangling link is told', async (t) => {
  const { service, names } = await serviceOf(t, {
    'elsewhere/tea/SKILL.md': skill('tea'),
    'elsewhere/one.md': skill('one'),
    'user/tea': { link: '../elsewhere/tea' },
    'user/one/SKILL.md': { link: '../../elsewhere/one.md' },
    'user/gone': { link: '../nowhere' },
    'user/empty': { folder: true },
  })
  assert.deepEqual(await names(), ['user one', 'user tea'])
  const { problems } = await service.list()
  assert.equal(problems.length, 1)
  assert.match(problems[0] ?? '', /gone.*cannot be read/)
})

test('SKL-1 of one name the workspace’s counts before the user’s, and no folder displaces a plugin’s', async (t) => {
  const { service, names } = await serviceOf(
    t,
    {
      'user/ship/SKILL.md': skill('ship', 'user'),
      'ws/.amber/skills/ship/SKILL.md': skill('ship', 'workspace'),
      'ws/.amber/skills/amber-config/SKILL.md': skill('amber-config', 'forged'),
    },
    { plugins: [ofPlugin('amber-config', 'true')] },
  )
  assert.deepEqual(await names(), ['plugin amber-config', 'workspace ship'])
  assert.equal((await service.list()).problems.length, 2)
})

test('SKL-1 a changed skill is read anew, a deleted one is gone', async (t) => {
  const { service, root, names } = await serviceOf(t, { 'user/tea/SKILL.md': skill('tea', 'old') })
  assert.equal((await service.list()).skills[0]?.description, 'old')
  await writeFile(join(root, 'user/tea/SKILL.md'), skill('tea', 'newer'))
  assert.equal((await service.list()).skills[0]?.description, 'newer')
  await rm(join(root, 'user/tea'), { recursive: true })
  assert.deepEqual(await names(), [])
})

test('SKL-1 a body larger than its budget is cut with a note, never inside a character', async (t) => {
  const { service } = await serviceOf(t, { 'user/tea/SKILL.md': skill('tea', 'x', 'é'.repeat(50_000)) })
  const read = await service.read('tea')
  assert.ok(read.ok)
  assert.ok(Buffer.byteLength(read.body) < 49_500)
  assert.match(read.body, /é\n\[… \d+ bytes of this skill were left out; the whole is in .*SKILL\.md\]$/)
})

test('SKL-1 writing stays inside the skill folders, whatever links there are', async (t) => {
  const { service, root } = await serviceOf(t, {
    'out/.keep': '',
    'ws/.amber/skills/away': { link: '../../../out' },
  })
  const write = (name: string) => service.write({ name, description: 'x', body: 'y', scope: 'project' })
  for (const name of ['away', '../x', 'a/b', 'A', '', 'x'.repeat(65), 'on']) {
    const written = await write(name)
    assert.equal(written.ok, false, name)
  }
  const good = await write('fine-one')
  assert.ok(good.ok && good.path === join(root, 'ws/.amber/skills/fine-one/SKILL.md') && !good.replaced)
  const again = await write('fine-one')
  assert.ok(again.ok && again.replaced)
})

test('SAFE-4 a skill written into an untrusted workspace says when it will be used', async (t) => {
  const { service } = await serviceOf(t, {}, { trusted: false })
  const written = await service.write({ name: 'a', description: 'x', body: 'y', scope: 'project' })
  assert.match(written.ok ? (written.note ?? '') : '', /amber trust add/)
})

test('SKL-1 other keys of the standard, CRLF and a byte order mark are no trouble', async () => {
  const text =
    '\uFEFF---\r\nname: tea\r\ndescription: >\r\n  Two\r\n  lines\r\nlicense: MIT\r\nmetadata:\r\n  a: b\r\n---\r\n\r\nBody\r\n'
  assert.deepEqual(await readSkillText(text), {
    ok: true,
    name: 'tea',
    description: 'Two lines',
    body: 'Body\n',
  })
  const empty = await readSkillText('---\nname: tea\ndescription: x\n---')
  assert.ok(empty.ok && empty.body === '')
})
