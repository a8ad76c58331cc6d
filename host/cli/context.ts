import type { App } from '../app/app.ts'
import type { AppOptions } from '../app/create-app.ts'
import type { Clock } from '../base/clock.ts'
import type { Installation } from '../base/installation.ts'
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
  /** A conversation line by line instead of the screen. */
  readonly plain?: boolean
  /** Send a request again although part of its answer was shown. */
  readonly retryPartial?: boolean
}

/** What every command gets beside its own options. */
export interface CliContext {
  readonly io: Io
  readonly clock: Clock
  readonly installation: Installation
  readonly createApp: (options: AppOptions) => Promise<App>
  readonly global: GlobalOptions
}

/** Runs one command in its context and keeps its exit code. */
export type Start = (run: (context: CliContext) => Promise<number>) => Promise<void>
