import { type AmberErrorCode, messageOf } from '../base/errors.ts'
import { sanitiseText } from '../base/sanitise.ts'
import { fromSystem } from '../base/system-error.ts'
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
  const known = fromSystem(thrown)
  const hint = known ? known.hint : 'This is a fault of amber; AMBER_DEBUG=1 shows where.'
  io.err.write(
    `error: ${sanitiseText(messageOf(known ?? thrown))}\n${hint === '' ? '' : `${sanitiseText(hint)}\n`}`,
  )
  if (io.env.AMBER_DEBUG === '1' && thrown instanceof Error) io.err.write(`${thrown.stack ?? ''}\n`)
  return known ? CODES[known.code] : EXIT.failed
}
