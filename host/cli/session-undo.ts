import { createInterface } from 'node:readline/promises'
import type { StoredUndo } from '../app/stored-undo.ts'
import { undoneText } from '../app/turn-undo.ts'
import { AmberError } from '../base/errors.ts'
import { sanitiseText } from '../base/sanitise.ts'
import { EXIT } from '../headless/exit-code.ts'
import { changedSince } from '../workspace/undo.ts'
import type { CliContext } from './context.ts'
import { openApp } from './open-app.ts'

/**
 * `amber session undo ID`: takes the session's newest turn back, what it wrote and what was said in it. The diff comes
 * first; on a terminal it is asked for, unless `--yes`. Refused where a file has changed since. Gives the exit code.
 */
export async function undoSession(
  options: { readonly id: string; readonly json?: boolean },
  context: CliContext,
): Promise<number> {
  const { io } = context
  const notice = (message: string) => io.err.write(`${sanitiseText(message)}\n`)
  const app = await openApp(context, notice, { activate: false })
  try {
    const undo = await app.undoStored(await (await app.sessions()).find(options.id))
    try {
      return await takeBack(undo, options, context)
    } finally {
      undo.close()
    }
  } finally {
    await app.shutdown()
  }
}

async function takeBack(
  undo: StoredUndo,
  options: { readonly json?: boolean },
  context: CliContext,
): Promise<number> {
  const { io, global } = context
  const id = undo.session
  const print = (text: string) => io.out.write(io.out.isTTY ? sanitiseText(text) : text)
  const plan = await undo.plan()
  if (plan === undefined) {
    const hint = 'See what there is: amber session list'
    throw new AmberError('failed', `Nothing was said in session ${id} that could be taken back.`, hint)
  }
  if (!options.json) print(`${plan.text}\n`)
  if (plan.files !== undefined && plan.files.changed.length > 0) throw changedSince(plan.files.changed)
  if (!global.yes && !(await agrees(context))) {
    io.err.write('Nothing was taken back.\n')
    return EXIT.failed
  }
  await undo.apply(plan)
  const { files, turn } = plan
  const done = {
    id,
    files: files?.files ?? [],
    diff: files?.diff ?? '',
    messages: turn.messages,
    prompt: turn.prompt,
  }
  print(options.json ? `${JSON.stringify(done, null, 2)}\n` : `${undoneText(plan)}\n`)
  return EXIT.done
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
