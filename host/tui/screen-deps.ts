import type { Readable, Writable } from 'node:stream'
import type { Clock } from '../base/clock.ts'
import type { Conversation } from './conversation.ts'
import type { Dialogs } from './dialog/dialogs.ts'
import type { EditorHistory } from './input/editor.ts'
import type { ListFiles } from './input/file-menu.ts'
import type { Shown } from './look/look.ts'
import type { PanelHost } from './panel/panel-host.ts'
import type { PanelView } from './panel/panel-view.ts'
import type { ScreenAgent, ScreenApp } from './screen-app.ts'
import type { Block } from './transcript/block.ts'
import type { Windows } from './windows.ts'

/** What a screen is made of. */
export interface ScreenDeps {
  readonly app: ScreenApp
  readonly terminal: { readonly input: Readable; readonly output: Writable }
  readonly env: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
  readonly version: string
  /** The workspace as people know it: `~/src/shop`. */
  readonly place: string
  readonly history: EditorHistory
  readonly listFiles: ListFiles
  readonly shown: Shown
  /** `high`; `''` where it is not told to the model. */
  readonly reasoningEffort: () => string
  /** Amber's own panels, before those of plugins. */
  readonly panels: readonly PanelView[]
  /** The user wants to leave. */
  readonly onLeave: () => void
  /** The screen itself failed; the terminal is already given back. */
  readonly onFatal: (thrown: unknown) => void
  /** Stops the process until it is called back; absent where that cannot be. */
  readonly suspend?: (resume: () => void) => void
  /** Opens a text in the user's editor; undefined when it was left alone. */
  readonly editExternally?: (text: string) => Promise<string | undefined>
}

/** The full-screen interface. */
export interface Screen {
  readonly windows: Windows
  readonly dialogs: Dialogs
  readonly panels: PanelHost
  /** Takes the terminal and paints the first frame at once; resolves when everything that frames need is loaded. */
  open(): Promise<void>
  addConversation(name: string, agent: ScreenAgent): Conversation
  /** Into the conversation that is looked at; before there is one, into the first. */
  show(block: Block): void
  /** Something that frames are made of has changed. */
  changed(): void
  /** The user's settings of how things look have changed. */
  setShown(shown: Shown): void
  /** Gives the terminal back at once: the process is about to end. */
  giveBack(): void
  /** Gives the terminal back; what is on its way in is swallowed. */
  close(): Promise<void>
}
