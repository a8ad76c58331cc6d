import type { Readable, Writable } from 'node:stream'
import type { Dispose } from '../base/disposable.ts'
import type { Outputs } from '../headless/output.ts'

/** Standard input, by what it is: an idle pipe and a terminal are waited for differently (row H1). */
export interface StandardInput {
  readonly kind: 'terminal' | 'pipe' | 'socket' | 'file' | 'none'
  /** The stream itself; asking for it does not read yet. */
  stream(): Readable
}

/** The world outside a command: passed in, so that a test can be it. */
export interface Io extends Outputs {
  readonly stdin: StandardInput
  /** The terminal to talk through; undefined when standard input or output is none. */
  readonly terminal: { readonly input: Readable; readonly output: Writable } | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** Aborted when whoever reads standard output has gone away (row H2). */
  readonly closed: AbortSignal
  /** Hears Ctrl-C and a polite request to end. While nobody listens they end the process. */
  onInterrupt(handler: () => void): Dispose
}
