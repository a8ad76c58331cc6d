import { createConfigStore } from '../base/config.ts'
import type { CliContext } from './context.ts'
import { pathsOf } from './open-app.ts'

/**
 * A conversation: the screen where the terminal can hold one, else line by line (`--plain`, `display.plain`, a terminal
 * that says no size, `TERM=dumb`, no terminal at all).
 */
export async function run(context: CliContext): Promise<number> {
  const { terminal } = context.io
  const canHold = terminal !== undefined && hasSize(terminal.output)
  if (context.global.plain === true || !canHold || (await wantsPlain(context))) {
    return (await import('./chat.ts')).run(context)
  }
  return (await import('./screen/run.ts')).run({ ...context, terminal })
}

async function wantsPlain(context: CliContext): Promise<boolean> {
  const config = await createConfigStore(pathsOf(context).config, context.clock).read()
  return config.display?.plain === true
}

function hasSize(output: object): boolean {
  return 'columns' in output && typeof output.columns === 'number' && output.columns > 0
}
