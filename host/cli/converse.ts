import { createConfigStore } from '../base/config.ts'
import type { CliContext } from './context.ts'
import type { Io } from './io.ts'
import { pathsOf } from './open-app.ts'

/**
 * A conversation: the screen where the terminal can hold one, else line by line (`--plain`, `display.plain`, a terminal
 * that says no size, `TERM=dumb`, no terminal at all).
 */
export async function run(context: CliContext): Promise<number> {
  const { terminal } = context.io
  const canHold = terminal !== undefined && canHoldScreen(context.io)
  if (context.global.plain === true || !canHold || (await wantsPlain(context))) {
    return (await import('./chat.ts')).run(context)
  }
  return (await import('./screen/run.ts')).run({ ...context, terminal })
}

async function wantsPlain(context: CliContext): Promise<boolean> {
  const config = await createConfigStore(pathsOf(context).config, context.clock).read()
  return config.display?.plain === true
}

/** Whether a screen can be drawn: the terminal says its size, and moves its cursor (`TERM=dumb` does not). */
export function canHoldScreen({ terminal, env }: Pick<Io, 'terminal' | 'env'>): boolean {
  if (terminal === undefined || env.TERM === 'dumb') return false
  const { output } = terminal
  return 'columns' in output && typeof output.columns === 'number' && output.columns > 0
}
