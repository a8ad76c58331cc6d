import type { TestContext } from 'node:test'
import { systemClock } from '../../host/base/clock.ts'
import type { Outcome } from '../../host/base/outcome.ts'
import { emptySnapshot } from '../../host/ledger/ledger.ts'
import { type Accounts, createAccounts } from '../../host/llm/accounts.ts'
import { createTransport } from '../../host/llm/transport.ts'
import type { InstalledPreset, Snapshot } from '../../host/registry/snapshot.ts'
import type { AccountContext, Allowance, Money } from '../../sdk/index.ts'
import { atEnd } from './at-end.ts'
import { createManualClock, type ManualClock } from './manual-clock.ts'

/** What the providers of a test answer, by name. */
export interface AccountSources {
  readonly wallets?: Readonly<
    Record<string, (context: AccountContext) => Promise<readonly Money[] | undefined>>
  >
  readonly allowances?: Readonly<Record<string, (context: AccountContext) => Promise<Allowance | undefined>>>
  /** API bases of presets. */
  readonly presets?: Readonly<Record<string, string>>
}

/** The polling on a clock that only a test moves, with a real transport. */
export interface AccountFixture {
  readonly accounts: Accounts
  readonly clock: ManualClock
  /** Resolves at the next change for which `seen` holds; at once when it holds already. */
  until(seen: () => boolean): Promise<void>
  /** What the bar would show. */
  text(): string | undefined
}

/** A snapshot with nothing but wallets, allowances and presets; a fetch that rejects is the plugin's fault. */
export function accountSnapshot({ wallets = {}, allowances = {}, presets = {} }: AccountSources): Snapshot {
  return {
    ...emptySnapshot(),
    wallets: new Map(
      Object.entries(wallets).map(([provider, fetch]) => [
        provider,
        { provider, plugin: provider, currency: 'USD', fetch: (context) => settled(fetch(context)) },
      ]),
    ),
    allowances: new Map(
      Object.entries(allowances).map(([provider, fetch]) => [
        provider,
        { provider, plugin: provider, fetch: (context) => settled(fetch(context)) },
      ]),
    ),
    providers: {
      flavors: new Map(),
      presets: new Map(Object.entries(presets).map(([name, apiBase]) => [name, preset(name, apiBase)])),
    },
  }
}

/** Makes the polling; it ends with the test. */
export function accountFixture(t: TestContext, sources: AccountSources): AccountFixture {
  const clock = createManualClock(1_000_000)
  const transport = createTransport({ clock: systemClock, env: {} })
  const waiting = new Set<() => void>()
  const snapshot = accountSnapshot(sources)
  const accounts = createAccounts({
    snapshot: () => snapshot,
    transport,
    clock,
    onChange: () => {
      for (const look of waiting) look()
    },
  })
  atEnd(t, async () => {
    accounts.dispose()
    await transport.close()
  })
  return {
    accounts,
    clock,
    text: () => accounts.readout()?.text,
    until: (seen) =>
      new Promise((resolve) => {
        const look = () => {
          if (!seen()) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      }),
  }
}

function preset(name: string, apiBase: string): InstalledPreset {
  return {
    name,
    plugin: name,
    flavor: 'openai',
    apiBase,
    defaultModel: '',
    requiresKey: true,
    keyEnv: [],
    mergeSystem: false,
    start: undefined,
  }
}

async function settled<Value>(answer: Promise<Value>): Promise<Outcome<Value>> {
  try {
    return { kind: 'value', value: await answer }
  } catch (thrown) {
    const diagnostic = {
      severity: 'error' as const,
      code: 'AMB3001',
      file: '',
      line: 1,
      column: 1,
      path: '',
      message: String(thrown),
    }
    return { kind: 'fault', fault: { plugin: 'acme', label: 'wallet', reason: 'threw', diagnostic } }
  }
}
