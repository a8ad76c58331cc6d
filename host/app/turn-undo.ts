import type { LastTurn } from '../agent/agent.ts'
import { AmberError } from '../base/errors.ts'
import type { Snapshot } from '../registry/snapshot.ts'
import { changedSince, type UndoPlan } from '../workspace/undo.ts'
import type { WorkspacePart } from './workspace-part.ts'

/** What taking a conversation's newest turn back would do. */
export interface TurnUndoPlan {
  readonly turn: LastTurn
  /** What it wrote; undefined when it changed no files, or none that could be brought back. */
  readonly files: UndoPlan | undefined
  /** What is shown before anything happens: the diff, then what was said. */
  readonly text: string
}

/** Takes the newest turn of a conversation back: its file changes, and its messages from the user's on. */
export interface TurnUndo {
  /** What would happen; undefined when nothing was said. Rejects with an AmberError while a turn runs. */
  plan(): Promise<TurnUndoPlan | undefined>
  /**
   * Does it: the files first, then the conversation. Rejects with an AmberError where a file has changed since, or
   * where the conversation went on meanwhile; then neither changes. `keepFiles` leaves the files as they are.
   */
  apply(plan: TurnUndoPlan, options?: { readonly keepFiles?: boolean }): Promise<void>
}

/** The conversation whose turns are taken back, live or stored. */
export interface Undoable {
  isBusy(): boolean
  lastTurn(): LastTurn | undefined
  rewind(): number
  between<Value>(work: () => Promise<Value>): Promise<Value>
}

/** What taking back is made with. */
export interface TurnUndoDeps {
  readonly part: Pick<WorkspacePart, 'undo' | 'checkpoints'>
  readonly snapshot: () => Snapshot
}

/** Makes it. */
export function createTurnUndo(conversation: Undoable, { part, snapshot }: TurnUndoDeps): TurnUndo {
  const { undo, checkpoints } = part
  return {
    async plan() {
      if (conversation.isBusy()) {
        throw new AmberError('failed', 'A turn is running.', 'Stop it first, then take it back.')
      }
      const turn = conversation.lastTurn()
      if (turn === undefined) return undefined
      const kept = turn.id === undefined ? undefined : await checkpoints.find(turn.id)
      const files = kept === undefined || kept === 'pruned' ? undefined : await undo.plan(kept)
      const said = turn.messages === 0 ? '' : `\n\n${saidText(turn)}${leftText(turn, snapshot())}`
      return { turn, files, text: filesText(files, turn.id === undefined || kept === 'pruned') + said }
    },
    apply: (plan, options) =>
      conversation.between(async () => {
        if (conversation.lastTurn()?.id !== plan.turn.id) {
          throw new AmberError('failed', 'The conversation went on meanwhile.', 'Look again: /undo')
        }
        if (plan.files !== undefined && !options?.keepFiles) await undo.apply(plan.files)
        conversation.rewind()
      }),
  }
}

/** Throws where files have changed since, with the diff. */
export function refuseChanged({ files, text }: TurnUndoPlan, remedy: string): void {
  if (files === undefined || files.changed.length === 0) return
  const { message, hint } = changedSince(files.changed)
  throw new AmberError('failed', `${text}\n\n${message}`, `${hint} ${remedy}`)
}

/** What was done, for people. */
export function undoneText(
  { turn, files }: TurnUndoPlan,
  options?: { readonly keepFiles?: boolean },
): string {
  const names = options?.keepFiles ? [] : (files?.files ?? [])
  // Of a turn that no session holds nothing was said that could go.
  if (turn.messages === 0) return `Taken back: ${names.join(', ') || 'nothing'}.`
  const said = turn.messages === 1 ? 'your message' : `${turn.messages} messages`
  return names.length === 0
    ? `Taken back: ${said}. No file was changed.`
    : `Taken back: ${names.join(', ')}, and ${said}.`
}

function filesText(files: UndoPlan | undefined, isTooOld: boolean): string {
  if (isTooOld)
    return 'The turn is too old: what its files were before is not kept, so they stay as they are.'
  if (files === undefined) return 'No files changed in the last turn.'
  return files.diff === '' ? 'The files of the last turn are as they were before it.' : files.diff
}

/** Services whose changes are kept, so that they are taken back. */
const KEPT = ['workspace', 'todos']

/** What else the turn did stays as it is, and is said: what a program or a server did nobody kept. */
function leftText({ tools }: LastTurn, snapshot: Snapshot): string {
  const left = tools.filter((name) => {
    const tool = snapshot.tools.get(name)
    return !tool?.readOnly && !tool?.requires?.some((service) => KEPT.includes(service))
  })
  return left.length === 0 ? '' : `\nWhat ${left.join(', ')} did beside that stays as it is.`
}

function saidText({ prompt, messages }: LastTurn): string {
  const line = prompt.trim().split('\n', 1)[0] ?? ''
  const shown = line.length > 80 ? `${line.slice(0, 79)}…` : line
  const rest = messages === 1 ? '' : `, and ${messages - 1} more messages`
  return `Out of the conversation: “${shown}”${rest}.`
}
