import type { TurnError, TurnResult } from '../agent/turn.ts'
import type { Agent, App } from '../app/app.ts'
import { AmberError, messageOf } from '../base/errors.ts'
import { fromSystem } from '../base/system-error.ts'
import { createWriter } from '../headless/create-writer.ts'
import { EXIT, turnExitCode } from '../headless/exit-code.ts'
import type { HeadlessWriter, OutputForm } from '../headless/writer.ts'
import { readPromptFiles } from '../workspace/prompt-files.ts'
import { createWorkspaceService } from '../workspace/workspace-service.ts'
import type { CliContext } from './context.ts'
import { agentOptions, openApp, pluginErrors } from './open-app.ts'
import { canHavePrompt, noPrompt, promptText } from './prompt-text.ts'
import { type InputReading, startReading } from './read-input.ts'

/** The options of `amber run` alone. */
export interface RunOptions {
  readonly prompt: readonly string[]
  readonly output: OutputForm
  /** Requests to the model, at most. */
  readonly maxTurns?: number
  /** Seconds that the whole run may take. */
  readonly timeout?: number
}

/** Why a run was stopped from outside. */
type Stop = 'interrupted' | 'timeout' | 'closed'

/** `amber run`: one headless turn (interfaces 2). Gives the exit code. */
export async function run(options: RunOptions, context: CliContext): Promise<number> {
  const { io, clock } = context
  const writer = createWriter(options.output, io)
  const reading = startReading(io.stdin, clock)
  const stop = new AbortController()
  const stopFor = (why: Stop) => () => stop.abort(why)
  const undo = [io.onInterrupt(stopFor('interrupted'))]
  if (options.timeout !== undefined) undo.push(clock.after(options.timeout * 1000, stopFor('timeout')))
  io.closed.addEventListener('abort', stopFor('closed'), { once: true })
  let app: App | undefined
  try {
    if (!canHavePrompt(options.prompt, io.stdin)) throw noPrompt()
    app = await orStopped(openApp(context, writer.notice), stop.signal)
    const result = await turn({ app, options, context, reading, writer, signal: stop.signal })
    return finish(writer, result, stop.signal)
  } catch (thrown) {
    const result = failed(context, app, thrown)
    if (!stop.signal.aborted) for (const error of result.errors) writer.error(error)
    if (io.env.AMBER_DEBUG === '1' && thrown instanceof Error) io.err.write(`${thrown.stack ?? ''}\n`)
    return finish(writer, result, stop.signal)
  } finally {
    for (const one of undo) one()
    reading.stop()
    await app?.shutdown()
  }
}

interface TurnOf {
  readonly app: App
  readonly options: RunOptions
  readonly context: CliContext
  readonly reading: InputReading
  readonly writer: HeadlessWriter
  readonly signal: AbortSignal
}

async function turn({ app, options, context, reading, writer, signal }: TurnOf): Promise<TurnResult> {
  const { maxTurns } = options
  const made = agentOptions(context, maxTurns === undefined ? {} : { maxRequests: maxTurns })
  // The agent before the prompt: what is missing of the configuration is said without waiting for the input (H1).
  const agent: Agent = await orStopped(app.createAgent(await made), signal)
  const source = { input: context.io.stdin, reading, notice: writer.notice }
  const { text, context: piped } = await orStopped(promptText(options.prompt, source), signal)
  const workspace = createWorkspaceService({ workspace: app.paths.workspace })
  const prompt = await orStopped(readPromptFiles(text, workspace), signal)
  for (const notice of prompt.notices) writer.notice(notice)
  writer.begin({ id: agent.session?.() ?? null, provider: agent.provider, model: agent.model })
  const images = prompt.images.length === 0 ? {} : { images: prompt.images }
  return agent.turn(prompt.text + piped, { signal, sink: writer, ...images })
}

/** The last words and the exit code, with what stopped the run from outside. */
function finish(writer: HeadlessWriter, result: TurnResult, signal: AbortSignal): number {
  const why: unknown = signal.aborted ? signal.reason : undefined
  if (why === 'timeout') {
    const error: TurnError = {
      kind: 'limit',
      message: 'The run took longer than --timeout allows.',
      hint: 'Give it more seconds.',
    }
    writer.error(error)
    writer.end({ ...result, finishReason: 'timeout', errors: [...result.errors, error] })
    return EXIT.failed
  }
  if (why === 'closed') return EXIT.done
  writer.end(result)
  return turnExitCode(result, { interrupted: why === 'interrupted' })
}

/** Waits for something that may take long, but not after the run was stopped. */
async function orStopped<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const stopped = new Promise<never>((_, reject) => {
    const abort = () => reject(new AmberError('interrupted', 'The run was stopped.', ''))
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
  stopped.catch(() => undefined)
  work.catch(() => undefined)
  return Promise.race([work, stopped])
}

/** The result of a run that had no turn. */
function failed(context: CliContext, app: App | undefined, thrown: unknown): TurnResult {
  const { global, io } = context
  return {
    text: '',
    finishReason: thrown instanceof AmberError && thrown.code === 'interrupted' ? 'cancelled' : 'error',
    usage: { inputTokens: 0, outputTokens: 0, wire: {} },
    toolCalls: [],
    session: null,
    provider: global.provider ?? io.env.AMBER_PROVIDER ?? '',
    model: global.model ?? io.env.AMBER_MODEL ?? '',
    errors: [errorOf(thrown)],
    pluginErrors: app === undefined ? [] : pluginErrors(app),
  }
}

function errorOf(thrown: unknown): TurnError {
  const known = fromSystem(thrown)
  if (known === undefined) {
    return {
      kind: 'failed',
      message: messageOf(thrown),
      hint: 'This is a fault of amber; AMBER_DEBUG=1 shows where.',
    }
  }
  const { code, message, hint } = known
  const kind = code === 'configuration' || code === 'usage' || code === 'denied' ? code : 'failed'
  return { kind: code === 'interrupted' ? 'cancelled' : kind, message, hint }
}
