import type { App } from '../app/app.ts'
import type { Clock } from '../base/clock.ts'
import type { Installation } from '../base/installation.ts'
import type { AmberPaths } from '../base/paths.ts'
import type { Io } from './io.ts'

/** Options of any run, as the command line gave them (interfaces 2). */
export interface GlobalOptions {
  readonly provider?: string
  readonly model?: string
  readonly apiBase?: string
  readonly mode?: 'read' | 'write' | 'yolo'
  readonly yes?: boolean
  readonly workspace?: string
  readonly plugin: readonly string[]
  readonly without: readonly string[]
  /** False for `--no-plugins`. */
  readonly plugins: boolean
  readonly continue?: boolean
  readonly resume?: string
  /** False for `--no-session`. */
  readonly session: boolean
  readonly dev?: boolean
}

/** What the composition root is made with. */
export interface CreateAppOptions {
  readonly paths: AmberPaths
  readonly env: Readonly<Record<string, string | undefined>>
  /** Plugin folders of `--plugin`, absolute. */
  readonly pluginFlags: readonly string[]
  readonly without: readonly string[]
  readonly noPlugins: boolean
  readonly dev?: boolean
  readonly clock: Clock
  readonly onNotice: (message: string) => void
}

/** What every command gets beside its own options. */
export interface CliContext {
  readonly io: Io
  readonly clock: Clock
  readonly installation: Installation
  readonly createApp: (options: CreateAppOptions) => Promise<App>
  readonly global: GlobalOptions
}
