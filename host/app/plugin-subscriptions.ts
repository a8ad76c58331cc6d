import { nearest } from '../../manifests/nearest.ts'
import type { EventName } from '../../sdk/index.ts'
import type { EventBus } from '../base/event-bus.ts'
import type { PluginFault } from '../base/outcome.ts'
import type { Guard } from '../plugin/guard.ts'
import type { Owner } from '../plugin/owner.ts'
import type { Subscription } from '../plugin/plugin-host.ts'
import type { Scope } from '../plugin/scope.ts'

/** The events that there are (EVT-2); the compiler finds one that is missing. */
const EVENTS: Readonly<Record<EventName, true>> = {
  'turn.started': true,
  'turn.ended': true,
  'message.added': true,
  'tool.requested': true,
  'tool.completed': true,
  'llm.response': true,
  'compression.started': true,
  'compression.completed': true,
  'error.raised': true,
  'plugin.loaded': true,
  'plugin.unloaded': true,
  'plugin.swapped': true,
}

/** Every event's name. */
export const EVENT_NAMES: readonly EventName[] = Object.keys(EVENTS).filter(isEventName)

function isEventName(name: string): name is EventName {
  return Object.hasOwn(EVENTS, name)
}

/** Subscribes plugins to the bus: staged until their version is live, gone when it is retired (EVT-1). */
export function createSubscriber(
  bus: EventBus,
  guard: Guard,
  report: (fault: PluginFault) => void,
): (owner: Owner, scope: Scope, subscription: Subscription) => () => void {
  return (owner, scope, { name, handler }) => {
    if (!isEventName(name)) {
      const guess = nearest(name, EVENT_NAMES)
      const message = `there is no event "${name}"${guess ? `, did you mean "${guess}"?` : ''}`
      const outcome = guard.fault(owner, `event ${name}`, 'nonsense', message)
      if (outcome.kind === 'fault') report(outcome.fault)
      return () => {}
    }
    const subscription = bus.subscribe(owner.plugin, name, (event) => handler(event) as void, {
      staged: true,
    })
    return scope.stage(`event ${name}`, subscription.activate, subscription.dispose)
  }
}
