import type { StatusSnapshot, StatusText, StatusTone } from '../../../sdk/index.ts'
import type { AccountReadout } from '../../llm/account-readout.ts'
import type { Glyphs } from '../look/glyphs.ts'
import { tokenCount } from '../look/text.ts'

/** What amber's own segments read beside the snapshot of STA-4. */
export interface CoreStatus extends StatusSnapshot {
  /** In tokens; undefined when nobody said. */
  readonly contextWindow: number | undefined
  /** Of the provider in use. */
  readonly account: AccountReadout | undefined
  /** A turn runs, tool or no tool. */
  readonly isBusy: boolean
  readonly isCancelling: boolean
  readonly waitingSeconds: number
  readonly glyphs: Glyphs
}

/** One of amber's own segments (bundled-plugins 7). */
export interface CoreSegment {
  readonly name: string
  readonly priority: number
  readonly dropPriority: number
  render(status: CoreStatus): StatusText
}

const NOTHING: StatusText = { text: '', tone: 'dim' }
const dim = (text: string): StatusText => ({ text, tone: 'dim' })

/** All of them, in order. The clock is a plugin's. */
export const CORE_SEGMENTS: readonly CoreSegment[] = [
  {
    name: 'window',
    priority: 100,
    dropPriority: 3,
    render: ({ windowIndex, windowCount }) => dim(`[${windowIndex}/${windowCount}]`),
  },
  {
    name: 'model',
    priority: 200,
    dropPriority: 5,
    render: ({ model, reasoningEffort }) => ({
      text: `[${model === '' ? '-' : model}${reasoningEffort === '' ? '' : ` ${reasoningEffort}`}]`,
      tone: 'accent',
    }),
  },
  {
    name: 'mode',
    priority: 300,
    dropPriority: 2,
    render: ({ mode }) => ({ text: mode, tone: mode === 'yolo' ? 'crit' : mode === 'read' ? 'good' : 'dim' }),
  },
  {
    name: 'scroll',
    priority: 400,
    dropPriority: 0,
    render: ({ scrollMode }) => (scrollMode ? { text: 'SCROLL', tone: 'banner' } : NOTHING),
  },
  { name: 'lag', priority: 500, dropPriority: 6, render: ({ latencyMs }) => lag(latencyMs) },
  {
    name: 'tps',
    priority: 600,
    dropPriority: 4,
    render: ({ tps }) => dim(`${tps === undefined ? '-' : Math.round(tps)} t/s`),
  },
  {
    name: 'tokens',
    priority: 700,
    dropPriority: 7,
    render: ({ promptTokens, completionTokens, glyphs }) =>
      dim(`${glyphs.up}${tokenCount(promptTokens)} ${glyphs.down}${tokenCount(completionTokens)}`),
  },
  {
    name: 'allowance',
    priority: 790,
    dropPriority: 8,
    render: ({ account }) => (account?.shows === 'window' ? account : NOTHING),
  },
  {
    name: 'wallet',
    priority: 800,
    dropPriority: 9,
    render: ({ account }) => (account === undefined || account.shows === 'window' ? NOTHING : account),
  },
  { name: 'context', priority: 850, dropPriority: 5, render: context },
  { name: 'activity', priority: 900, dropPriority: 1, render: activity },
  {
    name: 'mcp',
    priority: 1000,
    dropPriority: 8,
    render: ({ mcpServers, glyphs }) => {
      if (mcpServers.length === 0) return NOTHING
      const names = mcpServers.map(
        ({ name, connected, hasError }) => `${hasError ? '!' : connected ? '' : '?'}${name}`,
      )
      const isBad = mcpServers.some(({ hasError }) => hasError)
      return { text: `mcp: ${names.join(glyphs.dot)}`, tone: isBad ? 'warn' : 'dim' }
    },
  },
]

/** Over one second warns, over five is critical. */
function lag(latencyMs: number | undefined): StatusText {
  if (latencyMs === undefined) return dim('lag -')
  const tone: StatusTone = latencyMs > 5000 ? 'crit' : latencyMs > 1000 ? 'warn' : 'dim'
  return {
    text: `lag ${latencyMs < 10_000 ? `${Math.round(latencyMs)}ms` : `${Math.round(latencyMs / 1000)}s`}`,
    tone,
  }
}

const CELLS = 8

/** Fine below 60 %, a warning from 60 %, critical above 85 %. */
function context({ promptTokens, contextWindow, glyphs }: CoreStatus): StatusText {
  if (promptTokens === undefined || contextWindow === undefined || contextWindow <= 0) return NOTHING
  const share = Math.min(1, promptTokens / contextWindow)
  const full = Math.round(share * CELLS)
  const tone: StatusTone = share > 0.85 ? 'crit' : share >= 0.6 ? 'warn' : 'dim'
  const gauge = glyphs.full.repeat(full) + glyphs.empty.repeat(CELLS - full)
  return { text: `ctx ${gauge} ${Math.round(share * 100)}%`, tone }
}

/** Seconds while they matter, then minutes, then hours. */
function leftText(seconds: number): string {
  if (seconds < 120) return `${seconds} s`
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`
}

function activity(status: CoreStatus): StatusText {
  const { runningTool, runningJobs, jobSecondsLeft, waitingSeconds, isBusy, isCancelling } = status
  const what: string[] = []
  if (isCancelling) what.push('stopping')
  else if (waitingSeconds > 0) what.push(`again in ${waitingSeconds} s`)
  else if (runningTool !== '') what.push(runningTool)
  else if (isBusy) what.push('thinking')
  if (runningJobs > 0) {
    const left = jobSecondsLeft === undefined ? '' : ` ${leftText(jobSecondsLeft)}`
    what.push(`${runningJobs} ${runningJobs === 1 ? 'job' : 'jobs'}${left}`)
  }
  return { text: what.join(' '), tone: waitingSeconds > 0 || isCancelling ? 'warn' : 'accent' }
}
