import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { createApprovals } from '../../host/agent/approval.ts'
import {
  type ApprovalRules,
  createApprovalRules,
  parseRuleName,
  ruleName,
} from '../../host/agent/approval-rules.ts'
import type { AgentMode, ApprovalAnswer, ApprovalRequest } from '../../host/agent/turn.ts'
import { systemClock } from '../../host/base/clock.ts'
import { createAgentFixture, lastToolText } from '../support/agent-fixture.ts'
import { handMadeTool, toolMap } from '../support/hand-made.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const signal = new AbortController().signal

function rulesIn(folder: string): ApprovalRules {
  return createApprovalRules({
    file: async () => join(folder, 'rules.json'),
    workspace: '/ws',
    clock: systemClock,
  })
}

function request(...scopes: readonly string[]): ApprovalRequest {
  return { tool: 'bash', plugin: 'tool_bash', summary: 'x', arguments: {}, scopes }
}

/** Approvals that answer in turn, and what was asked. */
function answering(rules: ApprovalRules | undefined, ...answers: readonly ApprovalAnswer[]) {
  const asked: string[] = []
  const approvals = createApprovals({
    clock: systemClock,
    ...(rules ? { rules } : {}),
    approver: async ({ scopes }) => {
      asked.push(scopes.join(' + '))
      return answers[asked.length - 1] ?? 'deny'
    },
  })
  return {
    asked,
    decide: (...scopes: readonly string[]) => approvals.decide(request(...scopes), signal),
    approvals,
  }
}

test('SAFE-2 always and never are kept by workspace, plugin, tool and scope; session is not', async (t) => {
  const folder = temporaryFolder(t)
  const first = answering(rulesIn(folder), 'always', 'never', 'session', 'once')
  assert.equal(await first.decide('git push'), 'allowed')
  assert.equal(await first.decide('rm'), 'denied')
  assert.equal(await first.decide('npm test'), 'allowed')
  assert.equal(await first.decide('make'), 'allowed')
  assert.deepEqual(
    [await first.decide('git push'), await first.decide('rm'), await first.decide('npm test')],
    ['allowed', 'forbidden', 'allowed'],
  )
  assert.equal(first.asked.length, 4)
  const next = answering(rulesIn(folder))
  assert.deepEqual([await next.decide('git push'), await next.decide('rm')], ['allowed', 'forbidden'])
  assert.deepEqual(next.asked, [])
  assert.equal(await next.decide('npm test'), 'denied')
  assert.deepEqual(next.asked, ['npm test'])
  const kept: unknown = JSON.parse(await readFile(join(folder, 'rules.json'), 'utf8'))
  assert.deepEqual(kept, {
    version: 1,
    workspace: '/ws',
    rules: [
      { plugin: 'tool_bash', tool: 'bash', scope: 'git push', decision: 'allow' },
      { plugin: 'tool_bash', tool: 'bash', scope: 'rm', decision: 'deny' },
    ],
  })
})

test('SAFE-2 a rule that is forgotten, or turned round, counts at once in the very session that gave it', async (t) => {
  const rules = rulesIn(temporaryFolder(t))
  const here = answering(rules, 'always', 'never', 'session')
  assert.equal(await here.decide('rm'), 'allowed')
  assert.equal(await here.decide('make'), 'denied')
  await rules.forget('bash', 'rm')
  await rules.forget('bash', 'make')
  assert.equal(await here.decide('rm'), 'allowed', 'asked again, and allowed for the session')
  assert.equal(await here.decide('make'), 'denied', 'asked again')
  assert.deepEqual(here.asked, ['rm', 'make', 'rm', 'make'])
  await rules.set({ plugin: 'tool_bash', tool: 'bash', scope: 'rm', decision: 'deny' })
  assert.equal(await here.decide('rm'), 'forbidden', 'a rule beats what was said for the session')
  assert.equal(here.asked.length, 4)
})

test('SAFE-2 an answer for good that cannot be kept holds for the session', async (t) => {
  const rules: ApprovalRules = {
    ...rulesIn(temporaryFolder(t)),
    set: () => Promise.reject(new Error('the disk is full')),
  }
  const here = answering(rules, 'always', 'never')
  assert.equal(await here.decide('rm'), 'allowed')
  assert.equal(await here.decide('rm'), 'allowed')
  assert.equal(await here.decide('make'), 'denied')
  assert.equal(await here.decide('make'), 'forbidden')
  assert.deepEqual(here.asked, ['rm', 'make'])
})

test('X1 a rule for one part of a call is no rule for the call', async (t) => {
  const { decide, asked } = answering(rulesIn(temporaryFolder(t)), 'always', 'deny', 'always')
  assert.equal(await decide('git push'), 'allowed')
  assert.equal(await decide('git push', 'rm'), 'denied')
  assert.equal(await decide('git push', 'make'), 'allowed')
  assert.equal(await decide('make', 'git push'), 'allowed', 'both are allowed by now')
  assert.deepEqual(asked, ['git push', 'git push + rm', 'git push + make'])
})

test('SAFE-2 a rule for the tool as a whole covers its scopes, and a refusal of one beats it', async (t) => {
  const rules = rulesIn(temporaryFolder(t))
  await rules.set({ plugin: 'tool_bash', tool: 'bash', scope: undefined, decision: 'allow' })
  await rules.set({ plugin: 'tool_bash', tool: 'bash', scope: 'rm', decision: 'deny' })
  await rules.set({ plugin: 'other', tool: 'bash', scope: 'make', decision: 'deny' })
  const { decide } = answering(rules)
  assert.equal(await decide('git push'), 'allowed')
  assert.equal(await decide('git push', 'rm'), 'forbidden')
  assert.equal(await decide('make'), 'allowed', 'another plugin’s tool of that name is another tool')
})

test('SAFE-2 rules are removed by name, and what another amber wrote counts', async (t) => {
  const folder = temporaryFolder(t)
  const [one, two] = [rulesIn(folder), rulesIn(folder)]
  await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      (n % 2 ? one : two).set({ plugin: 'p', tool: 't', scope: `s ${n}`, decision: 'allow' }),
    ),
  )
  assert.equal((await one.list()).length, 10)
  assert.equal(await two.forget('t', 's 3'), true)
  assert.equal(await two.forget('t', 's 3'), false)
  assert.equal((await one.list()).length, 9)
  assert.deepEqual(parseRuleName('bash:git push'), { tool: 'bash', scope: 'git push' })
  assert.deepEqual(parseRuleName('bash:a:b'), { tool: 'bash', scope: 'a:b' })
  assert.equal(ruleName(parseRuleName('write')), 'write')
})

test('SAFE-2 rules that cannot be read allow nothing', async (t) => {
  const folder = temporaryFolder(t)
  await writeFile(
    join(folder, 'rules.json'),
    '{"rules":[{"plugin":"tool_bash","tool":"bash","decision":"yes"}]}',
  )
  const { decide, asked } = answering(rulesIn(folder), 'once')
  assert.equal(await decide('git push'), 'allowed')
  assert.deepEqual(asked, ['git push'])
  await assert.rejects(rulesIn(folder).list(), /cannot be read: one of its rules is none/)
})

for (const mode of ['write', 'yolo'] as const satisfies readonly AgentMode[]) {
  test(`SAFE-2 a rule that says no holds in ${mode} mode, for tools that ask nothing too`, async (t) => {
    const rules = rulesIn(temporaryFolder(t))
    await rules.set({ plugin: 'plugin_write', tool: 'write', scope: undefined, decision: 'deny' })
    const fixture = createAgentFixture({
      steps: [{ calls: [['write', {}]] }, { text: 'done' }],
      snapshot: { tools: toolMap(handMadeTool('write', () => assert.fail('ran'))) },
      settings: { mode },
      deps: { rules },
    })
    await fixture.turn()
    assert.match(lastToolText(fixture), /A rule of the user's forbids this call of write/)
  })
}

test('SAFE-2 a call’s scopes and reason come from its plugin; one that cannot say covers nothing else', async () => {
  const seen: ApprovalRequest[] = []
  const tool = handMadeTool('bash', () => ({ ok: true }), {
    approval: 'always',
    approvalScope: async () => ({ scopes: ['git push'], reason: 'destructive (git push)' }),
  })
  const fixture = createAgentFixture({
    steps: [{ calls: [['bash', {}]] }, { text: 'done' }],
    snapshot: { tools: toolMap(tool) },
    settings: {
      approver: async (asked) => {
        seen.push(asked)
        return 'once'
      },
    },
  })
  await fixture.turn()
  assert.deepEqual(seen[0]?.scopes, ['git push'])
  assert.equal(seen[0]?.reason, 'destructive (git push)')
})
