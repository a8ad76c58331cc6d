import type { Manifest } from '../../manifests/manifest.ts'
import type { Outcome } from '../base/outcome.ts'
import { isPromise } from '../base/values.ts'
import type { RawEntry } from '../registry/contribution.ts'
import type { Activation } from './activation.ts'
import type { CodeRef } from './contribution-code.ts'
import type { LivePlugin } from './live-plugin.ts'
import type { Handover } from './retirement.ts'
import { createActivation, takeOffer, type VersionDeps } from './versions.ts'

/**
 * Gives an old version's state to the new one (SWAP-5). The old version hands over only when it is done, and it is
 * done only after the new one went live: a factory that looked for `host.handedOver` before it was there therefore
 * runs again, in the place of its first run. With nothing asynchronous in between, no call ever meets the first run.
 */
export function handOver(
  deps: VersionDeps,
  next: { readonly plugin: LivePlugin; readonly manifest: Manifest; readonly ref: CodeRef },
  handover: Handover,
  retire: (first: Activation) => void,
): void {
  const { plugin, manifest, ref } = next
  if (plugin.code !== ref) return
  const first = ref.current
  first.receive(handover)
  if (!first.missedHandover || !first.bundle) return
  const { generation } = first.request
  const again = createActivation(deps, plugin, { manifest, generation, bundle: first.bundle, handover })
  const settle = (outcome: Outcome<RawEntry>) => {
    if (outcome.kind !== 'value' || plugin.code !== ref) {
      again.retire('crash')
      return
    }
    ref.current = again
    again.goLive()
    // What only the first run offered is gone.
    for (const { group } of first.offers.list()) takeOffer(deps, plugin, again, group)
    retire(first)
  }
  const outcome = again.startNow(first.bundle)
  if (isPromise(outcome)) void outcome.then(settle)
  else settle(outcome)
}
