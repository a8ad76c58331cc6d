import type { TurnResult } from '../agent/turn.ts'

/** The exit codes of interfaces 2. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  configuration: 3,
  denied: 4,
  interrupted: 130,
} as const

/** A turn's exit code: 1 beats 4, and a denied call counts even when the model then answered (interfaces 2, row H5). */
export function turnExitCode(result: TurnResult, how: { readonly interrupted: boolean }): number {
  if (how.interrupted) return EXIT.interrupted
  const kinds = new Set(result.errors.map((error) => error.kind))
  if (kinds.has('configuration')) return EXIT.configuration
  if (kinds.has('usage')) return EXIT.usage
  const denied = kinds.delete('denied')
  if (kinds.size > 0 || result.finishReason === 'cancelled') return EXIT.failed
  return denied ? EXIT.denied : EXIT.done
}
