import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { hasLiving } from '../../host/workspace/process/living.ts'
import { startAmber } from '../support/amber-process.ts'
import { startMcp, testServer } from '../support/mcp-fixture.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'

function homeWith(t: TestContext, servers: Readonly<Record<string, unknown>>): string {
  const home = temporaryFolder(t)
  mkdirSync(join(home, 'config'))
  writeFileSync(join(home, 'config', 'mcp.json'), JSON.stringify({ mcpServers: servers }))
  return home
}

/** Has amber learn what a server has, so that the next run has its tools at once, however long the server takes. */
async function learn(
  t: TestContext,
  home: string,
  servers: Readonly<Record<string, unknown>>,
  server: string,
): Promise<void> {
  const { mcp, host } = await startMcp(t, servers, { home })
  assert.match(await mcp('connect', server), /connected/)
  await host.plugins.shutdown()
}

const run = (home: string, ...argv: readonly string[]) =>
  startAmber(['run', '--no-session', '--provider', 'rehearsal', ...argv], { home })

test('MCP-1 a headless run calls a tool of a server beside a dead one, and ends both', async (t) => {
  const home = temporaryFolder(t)
  const pids = join(home, 'pids')
  const env = { PIDS: pids }
  const servers = { good: testServer([], { env }), dead: testServer(['--never'], { env }) }
  await learn(t, home, servers, 'good')
  const { code, out, err } = await run(home, '--output', 'json', 'use mcp_good_echo with text "hello"')
    .finished
  assert.equal(code, 0, err)
  const { toolCalls, text } = JSON.parse(out)
  assert.equal(toolCalls[0]?.name, 'mcp_good_echo')
  assert.match(text, /echo: hello/)
  for (const pid of readFileSync(pids, 'utf8').trim().split('\n')) {
    assert.equal(hasLiving(Number(pid)), false, `server ${pid} is gone`)
  }
})

test('M2 a run waits for a server that never answers once, briefly, and never again', async (t) => {
  const home = homeWith(t, { dead: testServer(['--never']) })
  const { code, err } = await run(home, 'hello').finished
  assert.equal(code, 0, err)
})

test('LED-4 a crash of amber leaves no server', async (t) => {
  const home = temporaryFolder(t)
  const marks = join(home, 'marks')
  const pids = join(home, 'pids')
  const servers = { test: testServer(['--stubborn'], { env: { MARK: marks, PIDS: pids } }) }
  await learn(t, home, servers, 'test')
  rmSync(pids)
  const amber = run(home, 'use mcp_test_wait')
  await until(() => existsSync(marks) && readFileSync(marks, 'utf8').includes('waiting'), 'the call runs')
  const group = Number(readFileSync(pids, 'utf8'))
  assert.equal(hasLiving(group), true)
  amber.kill('SIGKILL')
  await amber.finished
  await until(() => !hasLiving(group), 'the server ends with amber')
})
