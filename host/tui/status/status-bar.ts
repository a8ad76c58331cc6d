import type { StatusSnapshot } from '../../../sdk/index.ts'
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
  const given = snapshotOf(status)
  const theirs = plugins.map((segment) => ({
    priority: segment.priority,
    drawn: {
      name: segment.name,
      plugin: segment.plugin,
      edge: segment.edge,
      dropPriority: segment.dropPriority,
      ...textAndTone(segment.render(given) ?? { text: '', tone: 'dim' }),
    },
  }))
  return [...own, ...theirs].sort((a, b) => a.priority - b.priority).map((one) => one.drawn)
}

/** What plugins' segments may know (STA-4): no balance, and nothing that one could change for the next. */
function snapshotOf(status: CoreStatus): StatusSnapshot {
  return Object.freeze({
    windowIndex: status.windowIndex,
    windowCount: status.windowCount,
    model: status.model,
    reasoningEffort: status.reasoningEffort,
    mode: status.mode,
    scrollMode: status.scrollMode,
    latencyMs: status.latencyMs,
    promptTokens: status.promptTokens,
    completionTokens: status.completionTokens,
    tps: status.tps,
    runningJobs: status.runningJobs,
    jobSecondsLeft: status.jobSecondsLeft,
    runningTool: status.runningTool,
    mcpServers: Object.freeze(status.mcpServers.map((server) => Object.freeze({ ...server }))),
    now: status.now,
  })
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
  const shows = (later: number) => {
    const given = snapshotOf({ ...status, now: status.now + later })
    return plugins.map((segment) => segment.render(given)?.text).join('\n')
  }
  const now = shows(0)
  if (shows(1000) !== now) return 1000
  return shows(60_000) === now ? undefined : 60_000
}
