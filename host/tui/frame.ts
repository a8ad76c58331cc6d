import type { Clock } from '../base/clock.ts'
import { sanitiseLine } from '../base/sanitise.ts'
import type { Conversation } from './conversation.ts'
import type { Dialogs } from './dialog/dialogs.ts'
import type { Drawer } from './drawer/drawer.ts'
import type { FileMenu } from './input/file-menu.ts'
import { inputLines } from './input/input-lines.ts'
import { EMPTY } from './input/text-edit.ts'
import { compose } from './layout.ts'
import { ASCII, toAscii } from './look/glyphs.ts'
import type { LookSource } from './look/look.ts'
import { cut, sides, tokenCount } from './look/text.ts'
import type { Theme } from './look/theme.ts'
import type { PanelHost } from './panel/panel-host.ts'
import type { ScreenApp } from './screen-app.ts'
import type { CoreStatus } from './status/core-segments.ts'
import { beatOf, statusBar } from './status/status-bar.ts'
import type { Frame } from './terminal/frame-writer.ts'
import type { ViewSize } from './transcript/transcript.ts'
import type { Windows } from './windows.ts'

/** What frames are made from beside the conversations. */
export interface FrameState {
  /** The block that is marked in the conversation. */
  marked: number | undefined
  /** Said for a moment in the place of the placeholder. */
  said: string
  /** Rows of the conversation in the last frame. */
  viewHeight: number
}

/** What a frame is made of. */
export interface FrameDeps {
  readonly app: ScreenApp
  readonly clock: Clock
  readonly version: string
  readonly place: string
  readonly windows: Windows
  readonly dialogs: Dialogs
  readonly panels: PanelHost
  readonly drawer: Drawer
  readonly files: FileMenu
  readonly look: LookSource
  readonly state: FrameState
  /** `high`; `''` where it is not told to the model. */
  readonly reasoningEffort: () => string
}

/** Makes frames from what is there at the moment. */
export interface FrameSource {
  compose(size: { readonly width: number; readonly height: number }): Frame
  /** The conversation's view in the last frame. */
  viewSize(size: { readonly width: number }): ViewSize
  /** Milliseconds until the time alone changes something; undefined: never. */
  nextBeat(): number | undefined
}

/** Makes one; it keeps nothing but how often the bar has to be drawn. */
export function createFrame(deps: FrameDeps): FrameSource {
  const { app, clock, windows, dialogs, panels, look, state } = deps
  let beatFor = -1
  let beat: number | undefined

  const viewSize = ({ width }: { readonly width: number }): ViewSize => ({
    width,
    height: state.viewHeight,
    look: look.now(),
    now: clock.monotonic(),
    ...(state.marked === undefined ? {} : { marked: state.marked }),
  })

  return {
    viewSize,
    compose(size) {
      const { theme } = look.now()
      const window = windows.current()
      const now = clock.monotonic()
      const dialog = dialogs.current()
      const shape = { ...size, height: Math.max(3, Math.floor(size.height * 0.6)), theme, now }
      if (panels.isOpen() && dialog === undefined) {
        return fitting({ width: size.width, rows: panels.rows({ ...size, theme }), cursor: undefined }, theme)
      }
      const frame = compose({
        ...size,
        header: header(deps, window, size.width),
        conversation(height) {
          state.viewHeight = height
          return window?.transcript.view(viewSize(size)) ?? []
        },
        status: statusBar(app.snapshot().statusSegments, statusOf(deps, window), {
          width: size.width,
          theme,
        }),
        input: input(deps, window, size),
        below: below(deps, window, size),
        dialog: dialog?.draw(shape),
      })
      return fitting(frame, theme)
    },
    nextBeat() {
      const window = windows.current()
      if (window?.isBusy() || dialogs.current()?.isTimed || (app.jobs?.().count ?? 0) > 0) return 1000
      const { generation, statusSegments } = app.snapshot()
      const status = statusOf(deps, window)
      if (beatFor !== generation) beat = beatOf(statusSegments, status)
      beatFor = generation
      return beat === undefined ? undefined : beat - (status.now % beat)
    },
  }
}

function fitting(frame: Frame, { glyphs }: Theme): Frame {
  return glyphs === ASCII ? { ...frame, rows: frame.rows.map(toAscii) } : frame
}

function header(
  { app, version, place, look }: FrameDeps,
  window: Conversation | undefined,
  width: number,
): string {
  const { theme } = look.now()
  const { dot } = theme.glyphs
  const agent = window?.agent
  const names =
    agent === undefined
      ? ['starting']
      : [agent.provider, agent.model === agent.provider ? '' : agent.model].filter((name) => name !== '')
  const left = [`amber ${version}`, ...names.map(sanitiseLine), sanitiseLine(place)].join(` ${dot} `)
  const { tools } = app.snapshot()
  const plugins = app.plugins.list().filter(({ state }) => state === 'active' || state === 'degraded').length
  const cost = app.promptCost?.()
  const tokens = cost === undefined ? '' : ` ${dot} ${tokenCount(cost)} tokens`
  const right = `${plugins} plugins ${dot} ${tools.size} tools${tokens}`
  return theme.paint('dim', sides(`  ${left}`, right, width))
}

function input(
  { drawer, look, place, state, windows }: FrameDeps,
  window: Conversation | undefined,
  { width, height }: { readonly width: number; readonly height: number },
) {
  const { theme } = look.now()
  const draft = window?.editor.draft() ?? EMPTY
  const folder = cut(sanitiseLine(place.split('/').at(-1) || place), 20)
  const prompt =
    width < 30
      ? `${theme.glyphs.prompt} `
      : `${theme.paint('dim', `${theme.glyphs.corner}[${folder}]${theme.glyphs.box.across}`)}${theme.paint('accent', theme.glyphs.prompt)} `
  const first = windows.all.length <= 1 && window?.transcript.blocks.length === 0
  return inputLines(draft, {
    width,
    height: Math.max(1, Math.min(10, Math.floor(height / 3))),
    prompt,
    ghost: drawer.ghost(draft),
    placeholder:
      state.said.replaceAll('·', theme.glyphs.dot) ||
      (first
        ? `say what to do ${theme.glyphs.dot} / commands ${theme.glyphs.dot} @ files ${theme.glyphs.dot} /panel keys`
        : ''),
    theme,
  })
}

function below(
  { drawer, files, look }: FrameDeps,
  window: Conversation | undefined,
  { width, height }: { readonly width: number; readonly height: number },
): readonly string[] {
  if (window === undefined) return []
  const { theme } = look.now()
  const draft = window.editor.draft()
  const shape = { width, height: Math.max(2, Math.min(11, Math.floor(height / 2))), theme }
  return [...queued(window, width, theme), ...files.lines(draft, shape), ...drawer.lines(draft, shape)]
}

function queued(window: Conversation, width: number, theme: Theme): readonly string[] {
  return window.queued.map((text) =>
    theme.paint('dim', cut(`  queued: ${sanitiseLine(text.slice(0, 1000))}`, width)),
  )
}

function statusOf(
  { app, clock, windows, look, state, reasoningEffort }: FrameDeps,
  window: Conversation | undefined,
): CoreStatus {
  const jobs = app.jobs?.()
  return {
    windowIndex: windows.index() + 1,
    windowCount: Math.max(1, windows.all.length),
    model: sanitiseLine(window?.agent.model ?? ''),
    reasoningEffort: reasoningEffort(),
    mode: window?.agent.mode() ?? 'write',
    scrollMode: window !== undefined && (!window.transcript.isFollowing() || state.marked !== undefined),
    latencyMs: window?.figures.latencyMs,
    promptTokens: window?.figures.promptTokens,
    completionTokens: window?.figures.completionTokens,
    tps: window?.figures.tps,
    runningJobs: jobs?.count ?? 0,
    jobSecondsLeft: jobs?.secondsLeft,
    runningTool: window?.runningTool() ?? '',
    mcpServers: app.mcpServers?.() ?? [],
    now: clock.now(),
    contextWindow: window?.agent.contextWindow?.(),
    account: window?.agent.account?.(),
    isBusy: window?.isBusy() ?? false,
    isCancelling: window?.isCancelling() ?? false,
    waitingSeconds: window?.waitingSeconds() ?? 0,
    glyphs: look.now().theme.glyphs,
  }
}
