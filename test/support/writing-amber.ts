import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Agent, AgentOptions, App } from '../../host/app/app.ts'
import { createApp } from '../../host/app/create-app.ts'
import { systemClock } from '../../host/base/clock.ts'
import { findInstallation } from '../../host/base/installation.ts'
import { bindChatCommands } from '../../host/cli/chat-commands.ts'
import { runProgram } from '../../host/cli/program.ts'
import { isRecord } from '../../sdk/index.ts'
import { atEnd } from './at-end.ts'
import { createFakeIo } from './fake-io.ts'
import { finishChunk, type ModelServer, sendStream, startModelServer, textChunk } from './model-server.ts'
import { createRecordingSink } from './recording-sink.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { testApp } from './test-app.ts'

/** A message as it was sent to the model. */
export interface SentMessage {
  readonly role: string
  readonly content: string
  readonly calls: readonly string[]
  readonly callId: string | undefined
}

/** A whole amber in folders of its own, whose model does as it is told: `write NAME: TEXT`, `plan ID: TEXT`, `run IT: COMMAND`. */
export interface WritingAmber {
  readonly home: string
  readonly workspace: string
  readonly app: App
  readonly notices: readonly string[]
  /** What the user was shown and asked by `/undo`, in order. */
  readonly shown: readonly string[]
  /** What the user answers. */
  agrees: boolean
  open(session?: AgentOptions['session']): Promise<Agent>
  say(agent: Agent, prompt: string): Promise<void>
  /** What the model was sent last. */
  sent(): readonly SentMessage[]
  read(file: string): string | undefined
  write(file: string, text: string): void
  /** Runs a command line as a process would. */
  command(
    ...argv: readonly string[]
  ): Promise<{ readonly code: number; readonly out: string; readonly err: string }>
}

/** Makes one. */
export async function createWritingAmber(t: TestContext): Promise<WritingAmber> {
  const home = temporaryFolder(t)
  const workspace = join(home, 'ws')
  mkdirSync(workspace)
  const server = await startModelServer((response, { body }) => {
    const last = messagesOf(body).at(-1)
    const order = last?.role === 'user' ? /^(write|plan|run) (\S+): (.*)$/s.exec(last.content) : null
    if (order === null) return sendStream(response, textChunk('done'), finishChunk(), '[DONE]')
    const [, what, path, text] = order
    const [name, args] =
      what === 'run'
        ? ['bash', { command: text }]
        : what === 'plan'
          ? ['todowrite', { todos: [{ id: path, text, status: 'pending' }] }]
          : ['write', { path, edits: [{ old: '', new: text }] }]
    const call = { index: 0, id: 'call_1', function: { name, arguments: JSON.stringify(args) } }
    const chunk = { choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: null }] }
    sendStream(response, JSON.stringify(chunk), finishChunk('tool_calls'), '[DONE]')
  })
  atEnd(t, () => server.close())
  const notices: string[] = []
  const shown: string[] = []
  const app = await testApp(t, {
    home,
    workspace,
    bundled: true,
    env: { PATH: process.env.PATH },
    onNotice: (message) => notices.push(message),
  })
  const amber: WritingAmber = {
    home,
    workspace,
    app,
    notices,
    shown,
    agrees: true,
    async open(session = 'new') {
      const agent = await app.createAgent({
        provider: 'custom',
        apiBase: `${server.origin}/v1`,
        model: 'm',
        mode: 'write',
        session,
      })
      bindChatCommands(app, agent, {
        leave() {},
        undo: {
          show: (text) => shown.push(text),
          async confirm(question) {
            shown.push(question)
            return amber.agrees
          },
          taken: (prompt) => `\nback: ${prompt}`,
        },
      })
      return agent
    },
    async say(agent, prompt) {
      await agent.turn(prompt, { signal: new AbortController().signal, sink: createRecordingSink() })
    },
    sent: () => messagesOf(lastBody(server)),
    read(file) {
      try {
        return readFileSync(join(workspace, file), 'utf8')
      } catch {
        return undefined
      }
    },
    write: (file, text) => writeFileSync(join(workspace, file), text),
    async command(...argv) {
      const io = createFakeIo({ env: { AMBER_HOME: home, PATH: process.env.PATH }, cwd: workspace })
      const installation = findInstallation(import.meta.url)
      const code = await runProgram(argv, { io, clock: systemClock, installation, createApp })
      return { code, out: io.stdout(), err: io.stderr() }
    },
  }
  return amber
}

const lastBody = ({ seen }: ModelServer) => seen.at(-1)?.body ?? '{}'

/** The messages of a request that are no system's. */
function messagesOf(body: string): readonly SentMessage[] {
  const request: unknown = JSON.parse(body)
  if (!isRecord(request) || !Array.isArray(request.messages)) return []
  return request.messages.flatMap((one: unknown) => {
    if (!isRecord(one) || typeof one.role !== 'string' || one.role === 'system') return []
    const calls: unknown[] = Array.isArray(one.tool_calls) ? one.tool_calls : []
    return {
      role: one.role,
      content: typeof one.content === 'string' ? one.content : '',
      calls: calls.flatMap((call) => (isRecord(call) && typeof call.id === 'string' ? call.id : [])),
      callId: typeof one.tool_call_id === 'string' ? one.tool_call_id : undefined,
    }
  })
}
