import { sanitiseLine } from '../../base/sanitise.ts'
import { type ComposedStatus, composeStatus, type DrawnSegment } from '../../registry/compose-status.ts'
import type { InstalledStatusSegment } from '../../registry/contribution.ts'
import { cut, widthOf } from '../look/text.ts'
import type { Theme } from '../look/theme.ts'
import { CORE_SEGMENTS, type CoreStatus } from './core-segments.ts'

/** The bar as one styled line of at most `width` columns (STA-2). */
export function statusBar(
  plugins: readonly InstalledStatusSegment[],
  status: CoreStatus,
  { width, theme }: { readonly width: number; readonly theme: Theme },
): string {
  const composed = composeStatus(drawn(plugins, status), { width, measure: widthOf })
  return cut(styled(composed, width, theme), width, '')
}

/** Amber's own and the plugins', in (priority, registration) order; amber's were there first. */
function drawn(plugins: readonly InstalledStatusSegment[], status: CoreStatus): readonly DrawnSegment[] {
  const own = CORE_SEGMENTS.map((segment) => ({
    priority: segment.priority,
    drawn: {
      name: segment.name,
      plugin: '',
      edge: 'left' as const,
      dropPriority: segment.dropPriority,
      ...textAndTone(segment.render(status)),
    },
  }))
  const theirs = plugins.map((segment) => ({
    priority: segment.priority,
    drawn: {
      name: segment.name,
      plugin: segment.plugin,
      edge: segment.edge,
      dropPriority: segment.dropPriority,
      ...textAndTone(segment.render(status) ?? { text: '', tone: 'dim' }),
    },
  }))
  return [...own, ...theirs].sort((a, b) => a.priority - b.priority).map((one) => one.drawn)
}

function textAndTone({
  text,
  tone,
}: Pick<DrawnSegment, 'text' | 'tone'>): Pick<DrawnSegment, 'text' | 'tone'> {
  // A banner keeps its blanks: they are part of its ground.
  return {
    text: tone === 'banner' && text.trim() !== '' ? ` ${sanitiseLine(text)} ` : sanitiseLine(text),
    tone,
  }
}

const GAP = '   '

function styled({ left, right }: ComposedStatus, width: number, theme: Theme): string {
  const join = (segments: readonly DrawnSegment[]) =>
    segments.map(({ text, tone }) => theme.paint(tone, text)).join(GAP)
  const [start, end] = [join(left), join(right)]
  if (end === '') return start
  return start + ' '.repeat(Math.max(0, width - widthOf(start) - widthOf(end))) + end
}

/** How often a bar with these segments has to be drawn for the time alone, in milliseconds; undefined: never. */
export function beatOf(plugins: readonly InstalledStatusSegment[], status: CoreStatus): number | undefined {
  const shows = (later: number) =>
    plugins.map((segment) => segment.render({ ...status, now: status.now + later })?.text).join('\n')
  const now = shows(0)
  if (shows(1000) !== now) return 1000
  return shows(60_000) === now ? undefined : 60_000
}
