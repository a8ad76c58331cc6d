import type { Agent } from '../app/app.ts'
import { refuseChanged, undoneText } from '../app/turn-undo.ts'
import type { CoreHandler } from '../command/dispatch.ts'
import { splitFiles } from '../workspace/prompt-files.ts'

/** How an interface shows and asks while a turn is taken back. */
export interface UndoDoor {
  show(text: string): void
  confirm(question: string): Promise<boolean>
  /** The turn is out of the conversation; `prompt` is what the user had said. Answers what is to be said of that. */
  taken(prompt: string): string
}

/** `/undo`: shows what would go, asks unless told `yes`, and takes it back; `/undo talk` leaves the files alone. */
export function undoCommand({ undo }: Pick<Agent, 'undo'>, door: UndoDoor): CoreHandler {
  return async ({ text }) => {
    const plan = await undo?.plan()
    if (undo === undefined || plan === undefined) {
      return 'Nothing was said in this conversation yet. Another one’s last turn: amber session undo ID'
    }
    const keepFiles = text === 'talk'
    if (!keepFiles) refuseChanged(plan, 'To take it out of the conversation alone: /undo talk')
    if (text === '') {
      door.show(plan.text)
      if (!(await door.confirm('Take this back?'))) return 'Nothing was taken back.'
    }
    await undo.apply(plan, { keepFiles })
    return `${undoneText(plan, { keepFiles })}${door.taken(splitFiles(plan.turn.prompt).text)}`
  }
}
