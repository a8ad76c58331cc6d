import { AssertionError } from 'node:assert'
import { isDeepStrictEqual } from 'node:util'
import type { EventName } from '../../sdk/index.ts'
import type { Host } from '../app/create-host.ts'
import { EVENT_NAMES } from '../app/plugin-subscriptions.ts'
import type { FakeClock } from './fake-clock.ts'

/** Everything that a plugin could leave behind in a host: registries, handlers, timers. */
export interface Remains {
  readonly registries: Readonly<Record<string, unknown>>
  readonly handlers: Readonly<Record<string, number>>
  readonly timers: number
}

/**
 * A registry by what stands in it, its functions as such: what was noted before one plugin came must neither keep the
 * code of another in memory, nor differ because that was swapped in the meantime.
 */
function shapeOf(value: unknown, above: readonly unknown[] = []): unknown {
  if (typeof value === 'function') return 'function'
  if (typeof value !== 'object' || value === null || above.includes(value))
    return typeof value === 'object' ? null : value
  const inner = (one: unknown) => shapeOf(one, [...above, value])
  if (value instanceof Map) return new Map([...value].map(([key, one]) => [key, inner(one)]))
  if (value instanceof Set) return new Set([...value].map(inner))
  if (Array.isArray(value)) return value.map(inner)
  const lasting = Object.entries(value).filter(([key]) => key !== 'generation')
  return Object.fromEntries(lasting.map(([key, one]) => [key, inner(one)]))
}

/** Takes stock of a host. */
export function remainsOf(host: Host, clock: FakeClock): Remains {
  const { generation: _, ...registries } = host.ledger.snapshot()
  return {
    registries: Object.fromEntries(
      Object.entries(registries).map(([name, registry]) => [name, shapeOf(registry)]),
    ),
    handlers: Object.fromEntries(EVENT_NAMES.map((name: EventName) => [name, host.bus.count(name)])),
    timers: clock.pending(),
  }
}

/** Throws an AssertionError that names what is left, when a host after a removal is not what it was before (LED-4). */
export function assertSame(plugin: string, before: Remains, after: Remains): void {
  const left = [
    ...differing(before.registries, after.registries).map((name) => `the registry ${name}`),
    ...differing(before.handlers, after.handlers).map((name) => `handlers of ${name}`),
    ...(before.timers === after.timers ? [] : ['timers']),
  ]
  if (left.length === 0) return
  throw new AssertionError({
    message: `plugin ${plugin} was removed, but not without trace: ${left.join(', ')}`,
    actual: after,
    expected: before,
    operator: 'assertCleanRemoval',
  })
}

function differing(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): readonly string[] {
  return Object.keys({ ...before, ...after }).filter((name) => !isDeepStrictEqual(before[name], after[name]))
}
