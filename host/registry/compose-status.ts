import { textWidth } from '../../manifests/display-width.ts'
import type { StatusTone } from '../../sdk/index.ts'

/** A segment as it was drawn; segments come in (priority, registration) order, as the snapshot holds them. */
export interface DrawnSegment {
  readonly name: string
  readonly plugin: string
  readonly edge: 'left' | 'right'
  readonly dropPriority: number
  /** One line, already sanitised; `''` shows nothing (STA-1). */
  readonly text: string
  readonly tone: StatusTone
}

/** The bar of one frame. */
export interface ComposedStatus {
  readonly left: readonly DrawnSegment[]
  readonly right: readonly DrawnSegment[]
  /** What had no room, in the order in which it went. */
  readonly dropped: readonly DrawnSegment[]
  /** The bar as plain text, `width` columns at most. */
  readonly text: string
}

/** How a bar is laid out. */
export interface StatusLayout {
  /** Terminal columns. */
  readonly width: number
  /** Columns between two segments; 3 unless said. */
  readonly gap?: number
  /** How many columns a text takes. */
  readonly measure?: (text: string) => number
}

/**
 * Composes the status bar (STA-2): (priority, registration) order within each edge; too narrow, the highest
 * dropPriority goes first and 0 last, and among equals the one that stands later. Pure.
 */
export function composeStatus(segments: readonly DrawnSegment[], layout: StatusLayout): ComposedStatus {
  const { width, gap = 3, measure = textWidth } = layout
  const shown = segments.filter((one) => one.text !== '')
  const widths = new Map(shown.map((one) => [one, measure(one.text)]))
  let taken = shown.reduce((sum, one) => sum + (widths.get(one) ?? 0), 0) + gap * (shown.length - 1)
  const dropped: DrawnSegment[] = []
  for (const one of inDropOrder(shown)) {
    if (taken <= width) break
    dropped.push(one)
    taken -= (widths.get(one) ?? 0) + gap
  }
  const gone = new Set(dropped)
  const at = (edge: DrawnSegment['edge']) => shown.filter((one) => one.edge === edge && !gone.has(one))
  const left = at('left')
  const right = at('right')
  return { left, right, dropped, text: barText(left, right, { width, gap, measure }) }
}

/** Who goes first when there is no room. */
function inDropOrder(segments: readonly DrawnSegment[]): readonly DrawnSegment[] {
  return [...segments].reverse().sort((a, b) => b.dropPriority - a.dropPriority)
}

function barText(
  left: readonly DrawnSegment[],
  right: readonly DrawnSegment[],
  { width, gap, measure }: Required<StatusLayout>,
): string {
  const join = (segments: readonly DrawnSegment[]) => segments.map((one) => one.text).join(' '.repeat(gap))
  const start = join(left)
  if (right.length === 0) return start
  const end = join(right)
  return start + ' '.repeat(Math.max(0, width - measure(start) - measure(end))) + end
}
