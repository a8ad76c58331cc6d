import { APPROVAL_TIMEOUT_MS } from '../../agent/approval.ts'
import type { ApprovalAnswer, Approver } from '../../agent/turn.ts'
import type { Agent, AgentOptions } from '../../app/app.ts'
import type { Conversation } from '../../tui/index.ts'
import { continueWith, type NextModel, nextOf, withChoice } from '../continue-with.ts'
import { chooseOnFirstRun } from '../first-run.ts'
import { agentOptions } from '../open-app.ts'
import { startingAgent } from './late-app.ts'
import type { ScreenParts } from './parts.ts'

/** The agents of a screen's windows. */
export interface WindowAgents {
  /** Makes the agent of the first window; asks what to talk to where nobody has said. */
  openFirst(window: Conversation): Promise<Agent>
  /** Opens another window, with a session of its own. */
  open(name?: string): Promise<Conversation>
  /** The agent of the window that is looked at. */
  current(): Agent | undefined
  /** Goes on with another model or provider in this window, with all that was said. Between turns only. */
  use(choice: NextModel): Promise<Agent>
  /** What agents are made with now. */
  options(): Pick<AgentOptions, 'provider' | 'model' | 'apiBase'>
  /** Puts what the agent of a window knows in the place of what is shown. */
  showStored(window: Conversation): void
  close(conversation: Conversation): void
  /** Hears that a window has another agent. */
  onChange(handler: () => void): void
}

/** Makes the keeper of agents; nothing is opened before it is asked to. */
export function createWindowAgents(parts: ScreenParts): WindowAgents {
  const { app, context, screen } = parts
  const agents = new Map<Conversation, Agent>()
  let chosen: NextModel = {}
  /** The provider that this run began with. */
  let first: string | undefined
  let options: AgentOptions | undefined

  /** As the settings are now, with what was chosen since. */
  const base = async (): Promise<AgentOptions> => {
    const approver = createApprover(parts, () => options?.approvalTimeoutMs)
    const given = await agentOptions(context, { approver, interactive: true })
    options = withChoice(given, chosen, first)
    return options
  }
  const heard = new Set<() => void>()
  const changed = () => {
    for (const handler of heard) handler()
    screen.changed()
  }
  const showStored = (window: Conversation, keepsSaid = false) => {
    const stored = agents.get(window)?.messages?.() ?? []
    if (stored.length > 0) {
      // What amber has said since its start stands below: it is newer.
      const said = keepsSaid ? [...window.transcript.blocks] : []
      window.transcript.clear()
      const verbOf = (tool: string) => app.snapshot().tools.get(tool)?.verb
      for (const block of [...parts.tui.replayBlocks(stored, verbOf), ...said]) window.transcript.add(block)
    }
    screen.changed()
  }
  const current = () => {
    const window = screen.windows.current()
    return window === undefined ? undefined : agents.get(window)
  }

  return {
    current,
    async openFirst(window) {
      const given = await base()
      const { dialogs } = screen
      const ui = parts.tui.createPluginUi(dialogs, { asker: 'amber', notify: () => {} })
      const say = (text: string) => screen.show(parts.tui.noticeBlock(text, 'plain'))
      const choice = await chooseOnFirstRun({ app, context, named: given, ask: ui.askText, say })
      if (choice !== undefined) chosen = choice
      const agent = await app.createAgent({ ...given, ...choice })
      first = agent.provider
      agents.set(window, agent)
      window.agent = agent
      showStored(window, true)
      changed()
      return agent
    },
    async open(name) {
      let tellReady: (agent: Agent) => void = () => {}
      const ready = new Promise<Agent>((resolve) => {
        tellReady = resolve
      })
      const window = screen.addConversation(
        name ?? String(screen.windows.all.length + 1),
        startingAgent(ready),
      )
      try {
        const agent = await app.createAgent({ ...(await base()), session: 'new' })
        agents.set(window, agent)
        window.agent = agent
        tellReady(agent)
        changed()
        return window
      } catch (thrown) {
        screen.windows.remove(screen.windows.all.indexOf(window))
        throw thrown
      }
    },
    async use(choice) {
      const window = screen.windows.current()
      const before = current()
      if (window === undefined || before === undefined) throw new Error('there is no window')
      const agent = await continueWith(app, before, withChoice(await base(), nextOf(before, choice), first))
      if (choice.provider !== undefined || choice.model !== undefined)
        chosen = { provider: agent.provider, model: agent.model }
      agents.set(window, agent)
      window.agent = agent
      changed()
      return agent
    },
    options: () => options ?? {},
    onChange: (handler) => heard.add(handler),
    showStored: (window) => showStored(window),
    close(conversation) {
      conversation.cancel()
      agents.delete(conversation)
    },
  }
}

function createApprover(
  { context, screen, place, tui }: ScreenParts,
  timeoutMs: () => number | undefined,
): Approver {
  return (request, signal) => {
    const wait = timeoutMs() ?? APPROVAL_TIMEOUT_MS
    const deadline = wait === 0 ? undefined : context.clock.monotonic() + wait
    return screen.dialogs.open<ApprovalAnswer>(
      (answer) => tui.approvalDialog(request, { place, deadline }, answer),
      { signal, otherwise: 'deny' },
    )
  }
}
