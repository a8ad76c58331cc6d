import { AmberError, type AmberErrorCode, messageOf } from '../base/errors.ts'
import { sanitiseText } from '../base/sanitise.ts'
import { EXIT } from '../headless/exit-code.ts'
import type { Io } from './io.ts'

const CODES: Readonly<Record<AmberErrorCode, number>> = {
  failed: EXIT.failed,
  plugin: EXIT.failed,
  llm: EXIT.failed,
  usage: EXIT.usage,
  configuration: EXIT.configuration,
  denied: EXIT.denied,
  interrupted: EXIT.interrupted,
}

/** Tells an error: one line that says what, one that says what to do, the stack with AMBER_DEBUG=1. Gives the exit code. */
export function reportError(io: Pick<Io, 'err' | 'env'>, thrown: unknown): number {
  const known = thrown instanceof AmberError
  const hint = known ? thrown.hint : 'This is a fault of amber; AMBER_DEBUG=1 shows where.'
  io.err.write(`error: ${sanitiseText(messageOf(thrown))}\n${hint === '' ? '' : `${sanitiseText(hint)}\n`}`)
  if (io.env.AMBER_DEBUG === '1' && thrown instanceof Error) io.err.write(`${thrown.stack ?? ''}\n`)
  return known ? CODES[thrown.code] : EXIT.failed
}
