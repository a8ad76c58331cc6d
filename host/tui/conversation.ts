import type { TurnResult } from '../agent/turn.ts'
import type { Clock } from '../base/clock.ts'
import { messageOf } from '../base/errors.ts'
import { nothingAttached } from '../workspace/prompt-files.ts'
import type { Editor } from './input/editor.ts'
import type { ScreenAgent, ScreenApp } from './screen-app.ts'
import { type Figures, noFigures } from './status/figures.ts'
import {
  attachmentBlocks,
  commandBlock,
  errorBlock,
  noticeBlock,
  userBlock,
} from './transcript/message-blocks.ts'
import { createTranscript, type Transcript, type ViewSize } from './transcript/transcript.ts'
import { createTurnView } from './transcript/turn-view.ts'

/** One window: a conversation, what was said in it, and what is being written. */
export interface Conversation {
  name: string
  agent: ScreenAgent
  readonly transcript: Transcript
  readonly editor: Editor
  readonly figures: Figures
  /** Typed while a turn runs, in order. */
  readonly queued: readonly string[]
  isBusy(): boolean
  /** The verb of the call that runs; `''` when none does. */
  runningTool(): string
  /** Whole seconds until a failed request is sent again. */
  waitingSeconds(): number
  /** A prompt or a slash command. */
  submit(text: string): void
  /** Cancels the running turn; what was queued comes back into the draft. False when nothing runs. */
  cancel(): boolean
  isCancelling(): boolean
  /** Resolves when nothing runs any more. */
  idle(): Promise<void>
}

/** What a conversation is made of. */
export interface ConversationDeps {
  readonly name: string
  readonly app: Pick<ScreenApp, 'runCommand'>
  readonly agent: ScreenAgent
  readonly editor: Editor
  readonly clock: Clock
  /** The conversation's view as it was painted last. */
  readonly view?: () => ViewSize
  /** Something that is shown has changed; urgent is what the user waits to see. */
  readonly onChange: (isUrgent: boolean) => void
}

/** Makes an empty one. */
export function createConversation(deps: ConversationDeps): Conversation {
  const { app, editor, clock, onChange } = deps
  const transcript = createTranscript()
  const queued: string[] = []
  const figures = noFigures()
  let turn: AbortController | undefined
  let view: ReturnType<typeof createTurnView> | undefined
  let done: Promise<void> = Promise.resolve()

  const add = (block: Parameters<Transcript['add']>[0]) => {
    transcript.add(block)
    onChange(true)
  }
  const runTurn = async (prompt: string) => {
    const controller = new AbortController()
    turn = controller
    add(userBlock(prompt))
    transcript.toBottom()
    view = createTurnView({ transcript, clock, figures, onChange: () => onChange(false) })
    try {
      const { signal } = controller
      const { agent } = conversation
      const attached = agent.attach ? await agent.attach(prompt) : nothingAttached(prompt)
      for (const block of attachmentBlocks(attached)) add(block)
      show(await agent.turn(attached.text, { signal, sink: view.sink, images: attached.images }))
    } catch (thrown) {
      add(errorBlock(messageOf(thrown), ''))
    } finally {
      view.end()
      view = undefined
      turn = undefined
      onChange(true)
    }
    const next = queued.shift()
    if (next !== undefined) await runTurn(next)
  }
  const show = (result: TurnResult) => {
    if (result.finishReason === 'cancelled') transcript.add(noticeBlock('cancelled', 'warn'))
  }
  const runCommand = async (line: string) => {
    const { ok, text } = await app.runCommand(line, { signal: new AbortController().signal })
    // A command that opened a panel or left says nothing.
    if (text !== '' || !ok) add(commandBlock(line, text, ok))
    transcript.toBottom()
    // What is longer than the screen is read from its beginning.
    const view = deps.view?.()
    if (view !== undefined && text !== '') transcript.reveal(transcript.blocks.length - 1, view)
    onChange(true)
  }
  const start = (prompt: string) => {
    const running = runTurn(prompt)
    done = running
    void running
  }

  const conversation: Conversation = {
    name: deps.name,
    agent: deps.agent,
    transcript,
    editor,
    figures,
    queued,
    isBusy: () => turn !== undefined,
    isCancelling: () => turn?.signal.aborted === true,
    runningTool: () => view?.runningTool() ?? '',
    waitingSeconds: () => view?.waitingSeconds() ?? 0,
    submit(text) {
      if (text.trim() === '') return
      if (text.startsWith('/')) void runCommand(text)
      else if (turn === undefined) start(text)
      else queued.push(text)
      onChange(true)
    },
    cancel() {
      if (turn === undefined || turn.signal.aborted) return false
      turn.abort()
      if (queued.length > 0) {
        const { text } = editor.draft()
        editor.set([...queued, ...(text === '' ? [] : [text])].join('\n'))
        queued.length = 0
      }
      onChange(true)
      return true
    },
    idle: () => done,
  }
  return conversation
}
