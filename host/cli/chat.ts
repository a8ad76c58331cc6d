import type { Agent, App } from '../app/app.ts'
import { AmberError } from '../base/errors.ts'
import { sanitiseText } from '../base/sanitise.ts'
import { EXIT } from '../headless/exit-code.ts'
import { createAsker } from './chat-approval.ts'
import { bindChatCommands } from './chat-commands.ts'
import { createLines, type Lines } from './chat-lines.ts'
import { createChatSink } from './chat-sink.ts'
import type { CliContext } from './context.ts'
import { chooseOnFirstRun } from './first-run.ts'
import { columnsOf, foldText } from './fold-text.ts'
import type { Io } from './io.ts'
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
  const app = await openApp(context, say)
  const lines = createLines(terminal, app)
  try {
    lines.onInterrupt(() => lines.close())
    const given = await agentOptions(context, {
      approver: createAsker(lines.askFresh, say),
      interactive: true,
    })
    const choice = await chooseOnFirstRun({ app, context, named: given, ask: lines.askFresh, say })
    const agent = await app.createAgent({ ...given, ...choice })
    say(`${named(agent)} · /help for commands, Ctrl-C cancels a turn or leaves`)
    return await converse({ app, agent, lines, io, say })
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
  readonly io: Io
  readonly say: (text: string) => void
}

async function converse({ app, agent, lines, io, say }: Conversation): Promise<number> {
  let running: AbortController | undefined
  let leaving = false
  lines.onInterrupt(() => {
    if (running !== undefined && !running.signal.aborted) running.abort()
    else lines.close()
  })
  const unbind = bindChatCommands(app, agent, {
    leave() {
      leaving = true
    },
    undo: {
      show: say,
      confirm: async (question) =>
        /^y(es)?$/i.test((await lines.askFresh(`${question} [y]es, [n]o: `))?.trim() ?? ''),
      taken: (prompt) => `\nYour words were:\n${prompt}`,
    },
  })
  const sink = createChatSink(io)
  try {
    while (!leaving) {
      const line = await lines.next('> ')
      if (line === undefined) break
      if (line.trim() === '') continue
      running = new AbortController()
      if (line.startsWith('/')) say((await app.runCommand(line, { signal: running.signal })).text)
      else sink.end(await agent.turn(line, { signal: running.signal, sink }))
      running = undefined
    }
    return EXIT.done
  } finally {
    unbind()
    lines.close()
  }
}
