import { sanitiseLine } from '../host/base/sanitise.ts'
import { type ComposedStatus, composeStatus, type DrawnSegment } from '../host/registry/compose-status.ts'
import type { Snapshot } from '../host/registry/snapshot.ts'
import type { StatusSnapshot } from '../sdk/index.ts'

/** The status bar as a terminal of a width would show it at a moment. */
export function drawStatus(
  snapshot: Pick<Snapshot, 'statusSegments'>,
  moment: StatusSnapshot,
  width: number,
): ComposedStatus {
  const drawn = snapshot.statusSegments.flatMap((segment): readonly DrawnSegment[] => {
    const shown = segment.render(moment)
    if (shown === undefined) return []
    const { name, plugin, edge, dropPriority } = segment
    return [{ name, plugin, edge, dropPriority, text: sanitiseLine(shown.text), tone: shown.tone }]
  })
  return composeStatus(drawn, { width })
}
