import { coreTree } from '../../manifests/core-tree.ts'
import type { AccountContext, StatusSnapshot, ToolResult } from '../../sdk/index.ts'
import { callTool } from '../agent/call-tool.ts'
import { renderBlocks } from '../agent/prompt.ts'
import type { Approver } from '../agent/turn.ts'
import type { Host } from '../app/create-host.ts'
import { systemClock } from '../base/clock.ts'
import { didYouMean } from '../base/nearest.ts'
import type { Outcome } from '../base/outcome.ts'
import { createDispatcher } from '../command/dispatch.ts'
import { quietStatus } from '../registry/quiet-status.ts'
import type { FakeClock } from './fake-clock.ts'
import type { TestAccount, TestHost, TestPanel } from './test-host.ts'

type Calls = Pick<
  TestHost,
  | 'callTool'
  | 'runCommand'
  | 'renderStatus'
  | 'panel'
  | 'promptBlocks'
  | 'readSkill'
  | 'search'
  | 'balance'
  | 'allowance'
  | 'providers'
>

/** The doors of a test's host to what plugins contribute: the very ones that amber uses. */
export function createCalls(host: Host, clock: FakeClock): Calls {
  const snapshot = () => host.ledger.snapshot()
  const dispatcher = createDispatcher({ core: coreTree(), handler: () => undefined, snapshot })
  return {
    callTool: (name, args = {}, options = {}) => call(host, { name, args }, options),
    runCommand: (line) => dispatcher.run(line),
    renderStatus: (given) =>
      renderStatus(host, { ...quietStatus({ model: 'test-model', now: clock.now() }), ...given }),
    panel: (id) => openPanel(host, id),
    async promptBlocks() {
      const blocks = await renderBlocks({ base: '', coreBlocks: [] }, snapshot())
      return blocks.map(({ name, placement, text }) => ({ name, placement, text }))
    },
    async readSkill(name) {
      const { skills } = snapshot()
      return settled(await find('skill', name, skills).read())
    },
    async search(mode, pattern, { max = 50 } = {}) {
      const { search } = host.services
      if (!search) return { ok: false, error: 'this host has no search service' }
      return search.search({ mode, pattern, max }, { signal: new AbortController().signal })
    },
    async balance(provider, account) {
      return settled(await find('wallet', provider, snapshot().wallets).fetch(toContext(account)))
    },
    async allowance(provider, account) {
      return settled(await find('allowance', provider, snapshot().allowances).fetch(toContext(account)))
    },
    providers: () =>
      [...snapshot().providers.presets.values()].map(
        ({ name, flavor, apiBase, defaultModel, requiresKey }) => ({
          name,
          flavor,
          apiBase,
          defaultModel,
          requiresKey,
        }),
      ),
  }
}

async function call(
  host: Host,
  request: { readonly name: string; readonly args: unknown },
  options: { readonly approve?: boolean; readonly signal?: AbortSignal },
): Promise<ToolResult> {
  const { durationMs: _, ...result } = await callTool(
    {
      snapshot: () => host.ledger.snapshot(),
      bus: host.bus,
      clock: systemClock,
      mode: () => 'write',
      onAbandoned: () => {},
    },
    request,
    {
      ...(options.signal === undefined ? {} : { signal: options.signal }),
      ...(options.approve === undefined ? {} : { approver: answering(options.approve) }),
    },
  )
  return result
}

function answering(approve: boolean): Approver {
  return async () => (approve ? 'once' : 'deny')
}

function renderStatus(host: Host, status: StatusSnapshot): ReturnType<TestHost['renderStatus']> {
  return host.ledger.snapshot().statusSegments.flatMap((segment) => {
    const shown = segment.render(status)
    return shown === undefined ? [] : [{ name: segment.name, edge: segment.edge, ...shown }]
  })
}

/** The panel of this moment: a swap or a removal counts with the next call. */
function openPanel(host: Host, id: string): TestPanel {
  const live = () => find('panel', id, host.ledger.snapshot().panels)
  return {
    title: live().title,
    lines(width = 80) {
      const outcome = live().lines(width)
      return outcome === undefined ? [] : settled(outcome)
    },
    press: (key) => live().onKey(key),
  }
}

function toContext({ apiKey = 'test-key', apiBase = '', get }: TestAccount): AccountContext {
  return { apiKey, apiBase, signal: new AbortController().signal, get: async (url) => get(url) }
}

function find<Installed>(kind: string, name: string, all: ReadonlyMap<string, Installed>): Installed {
  const found = all.get(name)
  if (found !== undefined) return found
  throw new Error(`no ${kind} ${name} is installed. ${didYouMean(name, all.keys())}`.trim())
}

function settled<Value>(outcome: Outcome<Value>): Value {
  if (outcome.kind === 'value') return outcome.value
  throw new Error(outcome.kind === 'declined' ? `declined: ${outcome.why}` : outcome.fault.diagnostic.message)
}
