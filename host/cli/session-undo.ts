import { createInterface } from 'node:readline/promises'
import { AmberError } from '../base/errors.ts'
import { sanitiseText } from '../base/sanitise.ts'
import { EXIT } from '../headless/exit-code.ts'
import { changedSince } from '../workspace/undo.ts'
import type { CliContext } from './context.ts'
import { openApp } from './open-app.ts'

/**
 * `amber session undo ID`: takes the file changes of the session's newest turn back that wrote any. The diff comes first;
 * on a terminal it is asked for, unless `--yes`. Refused where a file has changed since. Gives the exit code.
 */
export async function undoSession(
  options: { readonly id: string; readonly json?: boolean },
  context: CliContext,
): Promise<number> {
  const { io, global } = context
  const notice = (message: string) => io.err.write(`${sanitiseText(message)}\n`)
  const app = await openApp(context, notice, { activate: false })
  try {
    const id = await (await app.sessions()).find(options.id)
    const plan = await app.undo.plan(id)
    if (plan === undefined) {
      const hint = `See what was said in it: amber session show ${id}`
      throw new AmberError(
        'failed',
        `No turn of session ${id} has written a file that could be taken back.`,
        hint,
      )
    }
    if (!options.json) io.out.write(`${io.out.isTTY ? sanitiseText(plan.diff) : plan.diff}\n`)
    if (plan.changed.length > 0) throw changedSince(plan.changed)
    if (!global.yes && !(await agrees(context))) {
      io.err.write('Nothing was taken back.\n')
      return EXIT.failed
    }
    await app.undo.apply(plan)
    if (options.json) io.out.write(`${JSON.stringify({ id, files: plan.files, diff: plan.diff }, null, 2)}\n`)
    else io.out.write(`Taken back: ${plan.files.join(', ') || 'nothing; the files are as they were'}\n`)
    return EXIT.done
  } finally {
    await app.shutdown()
  }
}

/** Where nobody is at a terminal the command itself is the word. */
async function agrees({ io }: CliContext): Promise<boolean> {
  if (io.terminal === undefined) return true
  const lines = createInterface({ ...io.terminal, terminal: true })
  const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
  try {
    const answer = await Promise.race([lines.question('Take this back? [y]es, [n]o: '), closed])
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    lines.close()
  }
}
