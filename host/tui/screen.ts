import type { Dispose } from '../base/disposable.ts'
import { createConversation } from './conversation.ts'
import { createDialogs } from './dialog/dialogs.ts'
import { createDrawer } from './drawer/drawer.ts'
import { createFrame, type FrameState } from './frame.ts'
import { createEditor } from './input/editor.ts'
import { createFileMenu } from './input/file-menu.ts'
import { createKeymap } from './keymap.ts'
import { createLook } from './look/look.ts'
import { createPainter } from './painter.ts'
import { historyPanel } from './panel/history-panel.ts'
import { keysPanel } from './panel/keys-panel.ts'
import { createPanelHost } from './panel/panel-host.ts'
import { pluginPanel } from './panel/plugin-panel.ts'
import type { Screen, ScreenDeps } from './screen-deps.ts'
import { createDevice } from './terminal/device.ts'
import { createFrameWriter } from './terminal/frame-writer.ts'
import { createKeyReader, type TerminalInput } from './terminal/keys.ts'
import type { Block } from './transcript/block.ts'
import { createWindows } from './windows.ts'

/** Long enough for what was typed into a screen that ends. In milliseconds. */
const DRAIN_MS = 30

/** Makes a screen; nothing is written before `open`. */
export function createScreen(deps: ScreenDeps): Screen {
  const { app, clock, env } = deps
  const windows = createWindows()
  const early: Block[] = []
  let lastTypedAt = Number.NEGATIVE_INFINITY
  let isOpen = false
  let cancelBeat: Dispose = () => {}
  const request = (isUrgent: boolean) => painter.request(isUrgent)
  const look = createLook(env, {
    ...deps.shown,
    onChange: () => repaint(),
  })
  const dialogs = createDialogs({ clock, lastTypedAt: () => lastTypedAt, onChange: () => request(false) })
  const keyList = keysPanel()
  const typedBefore = historyPanel(deps.history, {
    onChange: () => request(false),
    choose(text) {
      panels.close()
      windows.current()?.editor.set(text)
    },
  })
  const panels = createPanelHost(() => [
    ...deps.panels,
    ...[...app.snapshot().panels.values()].map(pluginPanel),
    typedBefore,
    keyList,
  ])
  const drawer = createDrawer({ ...app, choices: (source) => ownChoices(source) ?? app.choices(source) })
  const ownChoices = (source: string): readonly string[] | undefined => {
    if (source === 'panels') return panels.ids()
    if (source === 'windows') return windows.all.map(({ name }) => name)
    return source === 'commands' ? [...app.commandTree().keys()] : undefined
  }
  const files = createFileMenu(deps.listFiles, () => request(false))
  const state: FrameState = { marked: undefined, said: '', viewHeight: 10 }
  const frame = createFrame({ ...deps, windows, dialogs, panels, drawer, files, look, state })
  const writer = createFrameWriter()

  const paint = () => {
    if (!isOpen) return
    try {
      const size = device.size()
      const bytes = writer.next(frame.compose(size), size.height)
      if (bytes !== '' && !device.write(bytes)) painter.setBehind(true)
      cancelBeat()
      const next = frame.nextBeat()
      cancelBeat =
        next === undefined ? () => {} : clock.after(next, () => request(true), { background: true })
    } catch (thrown) {
      isOpen = false
      device.leave()
      deps.onFatal(thrown)
    }
  }
  const painter = createPainter(clock, paint)
  const repaint = () => {
    writer.forget()
    request(true)
  }
  const retake = () => {
    isOpen = true
    device.enter()
    repaint()
  }
  const keymap = createKeymap({
    clock,
    dialogs,
    panels,
    drawer,
    files,
    windows,
    view: () => frame.viewSize(device.size()),
    mark: {
      get: () => state.marked,
      set(block) {
        state.marked = block
      },
    },
    leave: deps.onLeave,
    repaint,
    say(text) {
      state.said = text
    },
    suspend() {
      if (deps.suspend === undefined) return
      isOpen = false
      device.leave()
      deps.suspend(retake)
    },
    edit: () => void editExternally(),
  })
  const editExternally = async () => {
    const editor = windows.current()?.editor
    if (editor === undefined || deps.editExternally === undefined) return
    isOpen = false
    device.leave()
    const text = await deps.editExternally(editor.draft().text).catch(() => undefined)
    if (text !== undefined) editor.set(text)
    retake()
  }
  const onInput = (input: TerminalInput) => {
    if (input.kind === 'keyboard') device.acceptKeyboardProtocol()
    else if (input.kind === 'background') look.setDark(input.isDark)
    else {
      state.said = ''
      keymap(input)
      if (input.kind !== 'wheel')
        lastTypedAt = dialogs.current() === undefined ? clock.monotonic() : lastTypedAt
    }
  }
  const keys = createKeyReader((input) => {
    onInput(input)
    // What was typed is painted before the next thing happens, whatever else streams.
    if (!isBatch) request(true)
  })
  let isBatch = false
  const device = createDevice({
    ...deps.terminal,
    env,
    onBytes(text) {
      isBatch = true
      keys.push(text)
      isBatch = false
      request(true)
    },
    onResize: repaint,
    onDrain: () => painter.setBehind(false),
    onGone: deps.onLeave,
  })

  return {
    windows,
    dialogs,
    panels,
    open() {
      isOpen = true
      device.enter()
      request(true)
      return look.load()
    },
    addConversation(name, agent) {
      const conversation = createConversation({
        name,
        app,
        agent,
        clock,
        editor: createEditor(deps.history),
        view: () => frame.viewSize(device.size()),
        onChange: request,
      })
      for (const block of early.splice(0)) conversation.transcript.add(block)
      windows.add(conversation)
      request(false)
      return conversation
    },
    show(block) {
      const transcript = windows.current()?.transcript
      if (transcript === undefined) early.push(block)
      else transcript.add(block)
      request(false)
    },
    changed: () => request(false),
    setShown: look.set,
    giveBack() {
      isOpen = false
      device.leave()
    },
    async close() {
      if (!isOpen) return
      painter.dispose()
      cancelBeat()
      dialogs.cancelAll()
      isOpen = false
      await device.drain(DRAIN_MS)
      keys.dispose()
      device.leave()
    },
  }
}
