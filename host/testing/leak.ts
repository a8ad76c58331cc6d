import { AssertionError } from 'node:assert'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Host } from '../app/create-host.ts'

/** What lies outside of a plugin's scope and can keep a function of it: counted before, and looked at after. */
export interface Surroundings {
  /** Node's open handles by type: `Timeout`, `TCPServerWrap`. */
  readonly resources: readonly string[]
  /** Names of global properties. */
  readonly globals: readonly string[]
  /** Listeners of the process by event. */
  readonly listeners: ReadonlyMap<string, number>
}

/** How often memory is collected before a version counts as kept: some things end a moment after their version. */
const ROUNDS = 20

/** Takes stock of the process. */
export function surroundings(): Surroundings {
  const names = process.eventNames()
  return {
    resources: process.getActiveResourcesInfo(),
    globals: Object.getOwnPropertyNames(globalThis),
    listeners: new Map(names.map((name) => [String(name), process.listenerCount(name)])),
  }
}

/**
 * Swaps a plugin for itself and waits until the version before can be collected. Throws an AssertionError when it
 * cannot: something outside keeps a function of it, and what is known of that is named (SWAP-9).
 */
export async function assertCollectable(host: Host, plugin: string, before: Surroundings): Promise<void> {
  const witness = host.plugins.witness(plugin)
  const swapped = await host.plugins.swap(plugin, { fresh: true })
  if (swapped.kind === 'rejected')
    throw new Error(`plugin ${plugin} cannot be swapped: ${swapped.diagnostics[0]?.message}`)
  // Data alone has no code that could be kept.
  if (witness === undefined || (await isCollected(witness))) return
  const held = witness.deref()?.held() ?? []
  const found = [...held, ...newcomers(before, surroundings())]
  const what =
    found.length > 0 ? found.join(', ') : 'something that no one lists: a listener on a shared object?'
  throw new AssertionError({
    message: `a version of plugin ${plugin} that was swapped out stays in memory, kept by: ${what}`,
    operator: 'assertNoLeak',
  })
}

async function isCollected(witness: WeakRef<object>): Promise<boolean> {
  for (let round = 0; round < ROUNDS; round += 1) {
    await collectMemory()
    if (witness.deref() === undefined) return true
  }
  return false
}

/** Collects what nobody holds any more, at the end of the running job. */
export async function collectMemory(): Promise<void> {
  const collect = collector()
  // A WeakRef lives until the job that made or read it ends, and so may promises that are about to settle.
  await new Promise((resolve) => setImmediate(resolve))
  collect()
}

/** Node gives its collector away on request, at any time. */
function collector(): () => void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect !== 'function') throw new Error('this Node.js does not let memory be collected')
  return () => {
    Reflect.apply(collect, undefined, [])
  }
}

const LABELS: Readonly<Record<string, string>> = {
  Timeout: 'a timer',
  Immediate: 'an immediate',
  TCPServerWrap: 'a server',
  PipeWrap: 'a pipe',
  TCPSocketWrap: 'a socket',
  UDPWrap: 'a datagram socket',
  ProcessWrap: 'a child process',
  FSEventWrap: 'a watched file',
}

function newcomers(before: Surroundings, after: Surroundings): readonly string[] {
  const known = [...before.resources]
  const resources = after.resources.filter((type) => {
    const at = known.indexOf(type)
    if (at !== -1) known.splice(at, 1)
    return at === -1
  })
  const globals = after.globals.filter((name) => !before.globals.includes(name))
  const listeners = [...after.listeners].filter(([name, count]) => count > (before.listeners.get(name) ?? 0))
  return [
    ...resources.map((type) => `${LABELS[type] ?? 'an open handle'} (${type})`),
    ...globals.map((name) => `the global ${name}`),
    ...listeners.map(([name]) => `a listener of the process on ${name}`),
  ]
}
