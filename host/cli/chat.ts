import type { TurnResult, TurnSink } from '../agent/turn.ts'
import type { Agent, AgentOptions, App } from '../app/app.ts'
import { AmberError } from '../base/errors.ts'
import { sanitiseText } from '../base/sanitise.ts'
import { EXIT } from '../headless/exit-code.ts'
import { createAsker } from './chat-approval.ts'
import { bindChatCommands } from './chat-commands.ts'
import { createLines, type Lines } from './chat-lines.ts'
import { createChatSink } from './chat-sink.ts'
import type { CliContext } from './context.ts'
import { continueWith, nextOf, withChoice } from './continue-with.ts'
import { bindChoices } from './conversation-choices.ts'
import { chooseOnFirstRun } from './first-run.ts'
import { columnsOf, foldText } from './fold-text.ts'
import type { Io } from './io.ts'
import { bindLineCommands } from './line-commands.ts'
import { createLineUi } from './line-ui.ts'
import { agentOptions, openApp } from './open-app.ts'

/**
 * The plain conversation, a line at a time: the answer as it comes, one line a tool call, slash commands with
 * completion, questions before what needs approval. Ctrl-C cancels the turn; at an empty prompt it leaves.
 */
export async function run(context: CliContext): Promise<number> {
  const { io } = context
  const { terminal } = io
  if (terminal === undefined) {
    throw new AmberError(
      'usage',
      'A conversation needs a terminal, and standard input or output is none.',
      'For one question write: amber run "what is in this folder?"',
    )
  }
  const say = (text: string) => io.out.write(`${foldText(sanitiseText(text), columnsOf(terminal.output))}\n`)
  let lines: Lines | undefined
  const app = await openApp(context, say, { ui: createLineUi(() => lines, say) })
  lines = createLines(terminal, app)
  const { askFresh } = lines
  try {
    lines.onInterrupt(() => lines?.close())
    const options = () => agentOptions(context, { approver: createAsker(askFresh, say), interactive: true })
    const given = await options()
    const choice = await chooseOnFirstRun({ app, context, named: given, ask: askFresh, say })
    const agent = await app.createAgent({ ...given, ...choice })
    say(`${named(agent)} · /help for commands, Ctrl-C cancels a turn or leaves`)
    return await converse({ app, agent, lines, context, terminal, say, options })
  } finally {
    lines.close()
    await app.shutdown()
  }
}

const named = ({ provider, model }: Agent) => (provider === model ? provider : `${provider} · ${model}`)

interface Conversation {
  readonly app: App
  readonly agent: Agent
  readonly lines: Lines
  readonly context: CliContext
  readonly terminal: NonNullable<Io['terminal']>
  readonly say: (text: string) => void
  /** What an agent is made with, by the settings of now. */
  readonly options: () => Promise<AgentOptions>
}

async function converse(conversation: Conversation): Promise<number> {
  const { app, context, lines, say } = conversation
  const { io } = context
  const first = conversation.agent.provider
  let { agent } = conversation
  let used = await conversation.options()
  let running: AbortController | undefined
  let leaving = false
  const leave = () => {
    leaving = true
  }
  lines.onInterrupt(() => {
    if (running !== undefined && !running.signal.aborted) running.abort()
    else lines.close()
  })
  const bind = () =>
    bindChatCommands(app, agent, {
      leave,
      undo: {
        show: say,
        confirm: async (question) =>
          /^y(es)?$/i.test((await lines.askFresh(`${question} [y]es, [n]o: `))?.trim() ?? ''),
        taken: (prompt) => `\nYour words were:\n${prompt}`,
      },
    })
  let unbind = bind()
  let promptTokens: number | undefined
  const unbindOthers = [
    bindLineCommands(app, { leave, width: () => columnsOf(conversation.terminal.output) ?? 80 }),
    bindChoices(app, context, {
      agent: () => agent,
      options: () => used,
      promptTokens: () => promptTokens,
      isBusy: () => false,
      async use(choice) {
        used = withChoice(await conversation.options(), nextOf(agent, choice), first)
        agent = await continueWith(app, agent, used)
        unbind()
        unbind = bind()
        return agent
      },
    }),
  ]
  const shown = createChatSink(io)
  const sink: typeof shown = {
    ...shown,
    responded({ inputTokens }) {
      promptTokens = inputTokens
    },
  }
  try {
    while (!leaving) {
      const line = await lines.next('> ')
      if (line === undefined) break
      if (line.trim() === '') continue
      running = new AbortController()
      if (line.startsWith('/')) {
        const { text } = await app.runCommand(line, { signal: running.signal })
        if (text !== '') say(text)
      } else sink.end(await turnWithFiles(agent, line, { signal: running.signal, sink, say }))
      running = undefined
    }
    return EXIT.done
  } finally {
    unbind()
    for (const one of unbindOthers) one()
    lines.close()
  }
}

/** One turn, with the files that its prompt names. */
async function turnWithFiles(
  agent: Agent,
  line: string,
  { signal, sink, say }: { readonly signal: AbortSignal; readonly sink: TurnSink; say(text: string): void },
): Promise<TurnResult> {
  const attached = await agent.attach?.(line)
  if (attached === undefined) return agent.turn(line, { signal, sink })
  const { text, images, files, notices } = attached
  if (files.length > 0) say(`with ${files.join(', ')}`)
  for (const notice of notices) say(notice)
  return agent.turn(text, { signal, sink, images })
}
