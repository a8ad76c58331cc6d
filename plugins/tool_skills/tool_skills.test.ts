import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createTestHost } from '../../host/testing/index.ts'
import { createSkillService } from '../../host/workspace/skills/skill-service.ts'
import { handMadeSnapshot } from '../../test/support/hand-made.ts'
import { createTempTree, type TreeEntry } from '../../test/support/temp-tree.ts'

const skill = (name: string, description: string, body = 'Do it.') =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}\n`

async function hostWith(t: TestContext, entries: Readonly<Record<string, TreeEntry>>) {
  const root = await createTempTree(t, entries)
  const host = createTestHost({
    services: {
      skills: createSkillService({
        snapshot: () => handMadeSnapshot(),
        userFolder: join(root, 'user'),
        workspace: async () => join(root, 'ws'),
        isTrusted: async () => true,
      }),
    },
  })
  t.after(() => host.dispose())
  await host.install(import.meta.url)
  return { host, root }
}

test('SKL-1 the prompt has discovery lines alone; the body comes on demand', async (t) => {
  const { host } = await hostWith(t, {
    'user/tea/SKILL.md': skill('tea', 'How to make tea.', 'Boil water first.'),
    'ws/.amber/skills/release/SKILL.md': skill('release', 'How to release.', 'Tag it.'),
  })
  const [block] = await host.promptBlocks()
  assert.match(block?.text ?? '', /- release: How to release\.\n- tea: How to make tea\.$/)
  assert.doesNotMatch(block?.text ?? '', /Boil/)
  const read = await host.callTool('read_skill', { name: 'tea' })
  assert.match(read.output ?? '', /^Skill tea \(user, .*tea\):\n\nBoil water first\./)
  const absent = await host.callTool('read_skill', { name: 'te' })
  assert.equal(absent.ok, false)
})

test('SKL-1 a thousand skills take no more of a request than their budget', async (t) => {
  const many = Array.from({ length: 200 }, (_, at) => [
    `user/skill-${at}/SKILL.md`,
    skill(`skill-${at}`, 'x'.repeat(200)),
  ])
  const { host } = await hostWith(t, Object.fromEntries(many))
  const [block] = await host.promptBlocks()
  assert.ok((block?.text.length ?? 0) < 9_000)
  assert.match(block?.text ?? '', /- … and \d+ more: `list_skills`$/)
})

test('SKL-1 list_skills narrows by name and origin, and says what is not usable', async (t) => {
  const { host } = await hostWith(t, {
    'user/tea/SKILL.md': skill('tea', 'How to make tea.'),
    'user/broken/SKILL.md': '---\nname: broken\ndescription: [a]\n---\n',
    'ws/.amber/skills/tea-party/SKILL.md': skill('tea-party', 'How to give one.'),
  })
  const all = (await host.callTool('list_skills', {})).output ?? ''
  assert.match(all, /^tea-party: How to give one\.\ntea: How to make tea\.\n\nNot usable:\n.*broken.*a list$/)
  const narrowed = await host.callTool('list_skills', { name: 'TEA', origin: 'workspace' })
  assert.match(narrowed.output ?? '', /^tea-party: [^\n]*\n\nNot usable/)
})

test('SAFE-2 write_skill asks, and writes a SKILL.md that reads back', async (t) => {
  const { host, root } = await hostWith(t, { 'ws/a.txt': 'a' })
  const args = { name: 'deploy', description: 'How: "to" deploy', body: 'Push.\n' }
  const denied = await host.callTool('write_skill', args)
  assert.equal(denied.ok, false)
  const written = await host.callTool('write_skill', args, { approve: true })
  assert.equal(written.ok, true, written.error)
  const file = join(root, 'ws/.amber/skills/deploy/SKILL.md')
  assert.equal(
    await readFile(file, 'utf8'),
    '---\nname: deploy\ndescription: "How: \\"to\\" deploy"\n---\n\nPush.\n',
  )
  const list = await host.callTool('list_skills', {})
  assert.equal(list.output, 'deploy: How: "to" deploy')
  const global = await host.callTool('write_skill', { ...args, scope: 'global' }, { approve: true })
  assert.match(global.output ?? '', /^Wrote .*\/user\/deploy\/SKILL\.md/)
})

test('LED-2 the three tools are one contribution, and leave nothing behind', async (t) => {
  const { host } = await hostWith(t, {})
  const tools = host.ledger().filter(({ kind }) => kind === 'tool')
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['skills'],
  )
  await host.assertCleanRemoval()
})

test('LED-3 without skills everything declines', async (t) => {
  const host = createTestHost()
  t.after(() => host.dispose())
  await host.install(import.meta.url)
  assert.ok(host.ledger().every(({ status }) => status === 'declined'))
})
