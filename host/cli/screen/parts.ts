import type { App } from '../../app/app.ts'
import type { Screen } from '../../tui/index.ts'
import type { CliContext } from '../context.ts'
import type { Io } from '../io.ts'

/** What a screen is run with. */
export type ScreenContext = CliContext & { readonly terminal: NonNullable<Io['terminal']> }

/** The interface as it comes through its door. */
export type Tui = typeof import('../../tui/index.ts')

/** An open screen and what it shows. */
export interface ScreenParts {
  readonly app: App
  readonly context: ScreenContext
  readonly screen: Screen
  readonly tui: Tui
  /** The workspace as people know it. */
  readonly place: string
  /** The user wants to leave. */
  readonly leave: () => void
}
