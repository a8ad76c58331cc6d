import type { App } from '../../host/app/app.ts'
import type { Clock } from '../../host/base/clock.ts'
import { sanitiseText } from '../../host/base/sanitise.ts'
import { quietStatus } from '../../host/registry/quiet-status.ts'
import { isRecord } from '../../sdk/index.ts'
import type { Conversation } from '../conversation.ts'
import type { PromptReporter } from '../prompt-report.ts'
import { drawStatus } from '../status-bar.ts'
import { type Answer, answered, refused } from './answer.ts'
import { onceLoaded } from './once-loaded.ts'
import type { ApiRequest, Route } from './routes.ts'

/** What the interface works on. */
export interface ApiDeps {
  readonly app: App
  readonly clock: Clock
  readonly conversation: Conversation
  readonly prompt: PromptReporter
}

/** Keys that are the host's and never reach a panel (PAN-2). */
const HOST_KEYS = new Set(['esc', 'escape', 'alt+0'])

/** Everything under `/api` but the events (interfaces 7). */
export function createRoutes(deps: ApiDeps): readonly Route[] {
  const { app, prompt } = deps
  return [
    get(['plugins'], () => answered(app.plugins.list())),
    get(['ledger'], () => answered(app.snapshot().ledger)),
    get(['commands'], () =>
      answered([...app.commandTree().values()].map((one) => ({ ...one, plugin: one.plugin ?? null }))),
    ),
    get(['prompt'], async () => answered(await prompt.report())),
    get(['status'], (request) => status(deps, request)),
    get(['panels', '*'], (request) => panelLines(deps, request)),
    post(['panels', '*', 'keys'], (request) => panelKey(deps, request)),
    post(['tools', '*'], (request) => callTool(app, request)),
    post(['commands'], (request) => runCommand(app, request)),
    post(['turn'], (request) => runTurn(deps, request)),
  ]
}

type Handle = Route['handle']
const get = (path: readonly string[], handle: Handle): Route => ({ method: 'GET', path, handle })
const post = (path: readonly string[], handle: Handle): Route => ({ method: 'POST', path, handle })

async function status({ app, clock, conversation }: ApiDeps, { query }: ApiRequest): Promise<Answer> {
  const width = widthOf(query)
  if (width === undefined) return badWidth()
  const moment = quietStatus({
    now: clock.now(),
    model: conversation.model(),
    mcpServers: app.mcpServers?.() ?? [],
  })
  await onceLoaded(clock, () => app.snapshot().statusSegments.map((one) => one.draw(moment)))
  const bar = drawStatus(app.snapshot(), moment, width)
  const shown = [...bar.left, ...bar.right].map((one) => ({ ...one, shown: true }))
  const dropped = bar.dropped.map((one) => ({ ...one, shown: false }))
  return answered({ text: bar.text, segments: [...shown, ...dropped] })
}

function widthOf(query: URLSearchParams): number | undefined {
  const text = query.get('width') ?? '80'
  const width = /^\d{1,4}$/.test(text) ? Number(text) : 0
  return width >= 1 && width <= 1000 ? width : undefined
}

const badWidth = () => refused(400, 'the width is no number of columns', 'give width=1 to width=1000')

async function panelLines({ app, clock }: ApiDeps, { parameters, query }: ApiRequest): Promise<Answer> {
  const panel = app.snapshot().panels.get(parameters[0] ?? '')
  if (!panel) return noPanel(app, parameters[0] ?? '')
  const width = widthOf(query)
  if (width === undefined) return badWidth()
  const [outcome] = await onceLoaded(clock, () => [panel.lines(width)])
  if (outcome === undefined) return answered({ lines: ['(the panel’s code is loading)'] })
  if (outcome.kind === 'value') return answered({ lines: outcome.value.map(sanitiseText) })
  const why = outcome.kind === 'fault' ? outcome.fault.diagnostic.message : outcome.why
  return refused(400, `the panel ${panel.id} cannot be drawn: ${why}`, `mend plugin ${panel.plugin} and save`)
}

async function panelKey({ app, clock }: ApiDeps, { parameters, body }: ApiRequest): Promise<Answer> {
  const panel = app.snapshot().panels.get(parameters[0] ?? '')
  if (!panel) return noPanel(app, parameters[0] ?? '')
  const key = textOf(body, 'key')
  if (key === undefined || key === '' || key.length > 64)
    return refused(400, 'the body names no key', 'send {"key": "up"}')
  await onceLoaded(clock, () => [panel.lines(80)])
  return answered({ handled: !HOST_KEYS.has(key) && panel.onKey(key) })
}

function noPanel(app: App, id: string): Answer {
  return refused(
    404,
    `there is no panel ${id}`,
    `the panels are: ${[...app.snapshot().panels.keys()].join(', ') || 'none'}`,
  )
}

/** Past the same interceptors, checks and approvals as a model's call (DEV-2). */
async function callTool(app: App, { parameters, body, approved, signal }: ApiRequest): Promise<Answer> {
  const name = parameters[0] ?? ''
  const { tools, unavailable } = app.snapshot()
  if (!tools.has(name)) {
    const gone = unavailable.get(`tool:${name}`)
    return gone
      ? refused(404, `tool ${name} belongs to plugin ${gone.plugin}, which ${gone.why}`, gone.remedy)
      : refused(404, `there is no tool ${name}`, `the tools are: ${[...tools.keys()].join(', ') || 'none'}`)
  }
  if (!isRecord(body))
    return refused(400, 'the body is no object of arguments', 'send {} where there are none')
  let isDenied = false
  const answer = await app.callTool(name, body, {
    signal,
    approver: async () => {
      isDenied = !approved
      return approved ? 'once' : 'deny'
    },
  })
  const { ok, output, durationMs } = answer
  const error = isDenied
    ? `${name} needs approval, so it was not run. To approve this very call, send the header x-amber-approve: once.`
    : answer.error
  return answered({
    ok,
    ...(output === undefined ? {} : { output }),
    ...(error === undefined ? {} : { error }),
    durationMs,
  })
}

async function runCommand(app: App, { body, signal }: ApiRequest): Promise<Answer> {
  const line = textOf(body, 'line')
  if (line === undefined || line.trim() === '')
    return refused(400, 'the body names no command', 'send {"line": "hello greet amber"}')
  const { ok, text } = await app.runCommand(line.trim().replace(/^\//, ''), { signal })
  return answered({ text, ok })
}

async function runTurn({ conversation }: ApiDeps, { body, signal }: ApiRequest): Promise<Answer> {
  const prompt = textOf(body, 'prompt')
  if (prompt === undefined || prompt.trim() === '')
    return refused(400, 'the body has no prompt', 'send {"prompt": "what to do"}')
  return answered(await conversation.turn(prompt, signal))
}

function textOf(body: unknown, key: string): string | undefined {
  const value = isRecord(body) ? body[key] : undefined
  return typeof value === 'string' ? value : undefined
}
