import type { Clock } from '../base/clock.ts'
import type { Dialogs } from './dialog/dialogs.ts'
import type { Drawer } from './drawer/drawer.ts'
import type { Editor } from './input/editor.ts'
import type { FileMenu } from './input/file-menu.ts'
import type { PanelHost } from './panel/panel-host.ts'
import type { TerminalInput } from './terminal/keys.ts'
import type { ViewSize } from './transcript/transcript.ts'
import type { Windows } from './windows.ts'

/** What keys work on. */
export interface KeymapDeps {
  readonly clock: Clock
  readonly dialogs: Dialogs
  readonly panels: PanelHost
  readonly drawer: Drawer
  readonly files: FileMenu
  readonly windows: Windows
  /** The size of the conversation's view as it was painted last. */
  readonly view: () => ViewSize
  readonly mark: { get(): number | undefined; set(block: number | undefined): void }
  readonly leave: () => void
  readonly suspend: () => void
  readonly repaint: () => void
  readonly edit: () => void
  /** Says something for a moment, in the place of the input's placeholder. */
  readonly say: (text: string) => void
}

/** A second Ctrl-C leaves within this time. In milliseconds. */
const AGAIN_MS = 3000

/** Routes what the terminal sends: to a dialog, else a panel, else what hangs on the input, else the input. */
export function createKeymap(deps: KeymapDeps): (input: TerminalInput) => void {
  const { dialogs, panels, drawer, files, windows, mark } = deps
  let armedUntil = 0
  let prefix = ''

  const interrupt = () => {
    const window = windows.current()
    const now = deps.clock.monotonic()
    if (now < armedUntil || window === undefined) {
      deps.leave()
      return
    }
    armedUntil = now + AGAIN_MS
    if (window.cancel()) deps.say('cancelling · ctrl+c again leaves')
    else if (window.editor.draft().text !== '') {
      window.editor.set('')
      drawer.edited()
      armedUntil = 0
    } else deps.say('ctrl+c again leaves')
  }
  const stepBack = () => {
    const window = windows.current()
    if (window === undefined) return
    const { transcript } = window
    if (mark.get() !== undefined || !transcript.isFollowing()) {
      mark.set(undefined)
      transcript.toBottom()
    } else window.cancel()
  }
  const step = (by: -1 | 1) => {
    const window = windows.current()
    if (window === undefined) return
    const { blocks } = window.transcript
    let at = (mark.get() ?? blocks.length) + by
    while (at >= 0 && at < blocks.length && blocks[at]?.fold === undefined) at += by
    if (blocks[at] === undefined) {
      if (by > 0) mark.set(undefined)
      return
    }
    mark.set(at)
    window.transcript.reveal(at, deps.view())
  }
  const unfold = () => {
    const blocks = windows.current()?.transcript.blocks ?? []
    const at = mark.get() ?? blocks.findLastIndex(({ fold }) => fold !== undefined)
    const fold = blocks[at]?.fold
    fold?.set(!fold.isOpen())
  }
  const unfoldAll = () => {
    const folds = (windows.current()?.transcript.blocks ?? []).flatMap(({ fold }) => fold ?? [])
    const open = folds.some((fold) => !fold.isOpen())
    for (const fold of folds) fold.set(open)
  }
  const page = (share: number) => {
    const view = deps.view()
    windows.current()?.transcript.scroll(Math.round(share * Math.max(1, view.height - 2)), view)
  }
  const COMMANDS: Readonly<Record<string, () => void>> = {
    'ctrl+c': interrupt,
    escape: stepBack,
    'ctrl+l': deps.repaint,
    'ctrl+z': deps.suspend,
    'ctrl+o': unfold,
    'alt+o': unfoldAll,
    'alt+up': () => step(-1),
    'alt+down': () => step(1),
    pageUp: () => page(-1),
    pageDown: () => page(1),
    'shift+up': () => windows.current()?.transcript.scroll(-1, deps.view()),
    'shift+down': () => windows.current()?.transcript.scroll(1, deps.view()),
    'shift+home': () => windows.current()?.transcript.toTop(),
    'shift+end'() {
      mark.set(undefined)
      windows.current()?.transcript.toBottom()
    },
    'alt+0': () => void panels.open(),
    'ctrl+g': deps.edit,
    'ctrl+r': () => void panels.open('history'),
  }
  const submit = () => {
    const window = windows.current()
    if (window === undefined) return
    const { text } = window.editor.draft()
    if (text.trim() === '' && mark.get() !== undefined) unfold()
    else if (text.endsWith('\\')) window.editor.set(`${text.slice(0, -1)}\n`)
    else {
      drawer.edited()
      files.close()
      mark.set(undefined)
      if (text.trim() !== '') window.submit(window.editor.take().trimEnd())
    }
  }
  const inMenus = (key: string): boolean => {
    const editor = windows.current()?.editor
    if (editor === undefined) return false
    const draft = editor.draft()
    const next = files.key(key, draft) ?? (drawer.isOpen(draft) ? drawer.key(key, draft) : undefined)
    if (next === undefined) return false
    if (next !== draft) editor.set(next.text, next.cursor)
    return true
  }
  const onKey = (key: string) => {
    if (prefix === 'ctrl+x' && key === 'ctrl+e') {
      prefix = ''
      deps.edit()
      return
    }
    prefix = key === 'ctrl+x' ? key : ''
    const number = /^alt\+([1-9])$/.exec(key)
    const editor = windows.current()?.editor
    if (number !== null) {
      mark.set(undefined)
      windows.show(Number(number[1]) - 1)
    } else if (inMenus(key)) return
    else if (COMMANDS[key] !== undefined) COMMANDS[key]()
    else if (key === 'enter') submit()
    else if (key === 'ctrl+d' && editor?.draft().text === '') deps.leave()
    else if (editor?.key(key === 'ctrl+d' ? 'delete' : key)) changed()
  }
  const changed = () => {
    drawer.edited()
    const draft = windows.current()?.editor.draft()
    if (draft !== undefined) files.edited(draft)
  }

  /** Letters may come several at once, the question mark last; true when it opened a page. */
  const typed = (editor: Editor, text: string): boolean => {
    const letters = text.endsWith('?') ? text.slice(0, -1) : text
    if (letters !== '') editor.type(letters)
    if (letters === text) return false
    if (letters !== '') changed()
    if (drawer.question(editor.draft())) return true
    editor.type('?')
    return false
  }

  return (input) => {
    if (input.kind === 'keyboard' || input.kind === 'background') return
    if (dialogs.current() !== undefined) {
      dialogs.input(input)
      return
    }
    if (panels.isOpen()) {
      if (input.kind === 'key') panels.key(input.key === 'ctrl+c' ? 'ctrl+c' : input.key)
      else if (input.kind === 'wheel') panels.scroll(input.lines)
      else for (const letter of input.text) panels.key(letter === ' ' ? 'space' : letter)
      return
    }
    if (input.kind === 'wheel') windows.current()?.transcript.scroll(input.lines, deps.view())
    else if (input.kind === 'key') onKey(input.key)
    else {
      const editor = windows.current()?.editor
      if (editor === undefined) return
      armedUntil = 0
      if (input.kind === 'paste') editor.paste(input.text)
      else if (typed(editor, input.text)) return
      changed()
    }
  }
}
