import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type {
  EventHandler,
  EventName,
  HostServices,
  PluginDefinition,
  PluginHost,
  ToolCall,
} from '../../sdk/index.ts'

/** A host for one plugin in a test: its services as given, everything that it did recorded. */
export interface TestPluginHost extends PluginHost {
  readonly logged: readonly string[]
  /** Ends the plugin's version: aborts `signal`. */
  retire(): void
}

/** Makes a host for a plugin's factory. Timers are not run: nothing here needs one. */
export function createTestPluginHost(options: {
  readonly id: string
  readonly services?: HostServices
  readonly handedOver?: unknown
  readonly cacheFolder?: string
}): TestPluginHost {
  const end = new AbortController()
  const logged: string[] = []
  const log = (message: string) => {
    logged.push(message)
  }
  return {
    id: options.id,
    generation: 1,
    services: options.services ?? {},
    signal: end.signal,
    cacheFolder: options.cacheFolder ?? join(tmpdir(), 'amber-no-cache'),
    offerTools: () => () => {},
    on:
      <Name extends EventName>(_name: Name, _handler: EventHandler<Name>) =>
      () => {},
    every: () => () => {},
    log: { debug: log, info: log, warn: log, error: log },
    handedOver: options.handedOver,
    ui: {
      notify: log,
      confirm: async () => false,
      choose: async () => undefined,
      askText: async () => undefined,
      askSecret: async () => undefined,
    },
    logged,
    retire: () => end.abort(),
  }
}

/** Runs a plugin's factory and answers the handler at a path of its entry, `tools.read.execute`, as a function. */
export async function callHandler(
  plugin: PluginDefinition,
  host: PluginHost,
  path: readonly string[],
): Promise<(...args: readonly unknown[]) => unknown> {
  let at: unknown = await plugin.factory(host)
  for (const name of path) {
    assert.ok(typeof at === 'object' && at !== null, `the entry has ${path.join('.')}`)
    at = Reflect.get(at, name)
  }
  assert.equal(typeof at, 'function', `the entry has ${path.join('.')}`)
  const handler = at
  return (...args) => (typeof handler === 'function' ? Reflect.apply(handler, undefined, args) : undefined)
}

/** A running call that nobody cancels, unless a signal is given. */
export function testCall(signal: AbortSignal = new AbortController().signal): ToolCall {
  return { id: 'call_1', conversation: 'test', signal, progress: () => {} }
}
