import type { Diagnostic } from '../../manifests/diagnostic.ts'
import type { AgentOptions, App } from '../app/app.ts'
import type { Clock } from '../base/clock.ts'
import type { CliContext } from './context.ts'

/** Hears what happens, and of a refused change what is wrong, for those who can show it. */
export type OnNotice = (message: string, diagnostics?: readonly Diagnostic[]) => void

type DevServer = typeof import('../../devserver/index.ts')
type DevEvent = import('../../devserver/index.ts').DevEvent

/** Watches plugin folders in this very process (`--dev`): the app comes back with a shutdown that ends the watch too. */
export async function watchWhileRunning(
  app: App,
  { clock, io, global }: CliContext,
  onNotice: OnNotice,
): Promise<App> {
  const { resolve } = await import('node:path')
  const { diagnosticLine, watchPlugins } = await import('../../devserver/index.ts')
  const given = global.plugin.map((folder) => resolve(io.cwd, folder))
  const onEvent = (event: DevEvent) => {
    const text = noticeOf(event, diagnosticLine)
    if (text !== undefined) onNotice(text, findingsOf(event))
  }
  const watch = await watchPlugins({ app, clock, onEvent }, { given })
  return {
    ...app,
    async shutdown() {
      await watch.close()
      await app.shutdown()
    },
  }
}

/**
 * The dev server inside a conversation (`amber dev --tui`): the app comes back with a shutdown that ends the server too.
 * Resolves once the given plugins are live or rejected.
 */
export async function serveWhileRunning(
  app: App,
  { clock, folders, port, agent, onNotice }: ServeOptions,
): Promise<App> {
  const { diagnosticLine, startDevServer } = await import('../../devserver/index.ts')
  const onEvent = (event: DevEvent) => {
    const text = event.type === 'ready' ? `inspector ${event.url}` : noticeOf(event, diagnosticLine)
    if (text !== undefined) onNotice(text, findingsOf(event))
  }
  const server = await startDevServer({ app, clock, onEvent }, { folders, port, agent })
  return {
    ...app,
    async shutdown() {
      await server.close()
      await app.shutdown()
    },
  }
}

/** What the dev server inside a conversation is made with. */
export interface ServeOptions {
  readonly clock: Clock
  readonly folders: ReturnType<DevServer['findFolders']>
  readonly port: number
  /** Of the inspector's own conversation. */
  readonly agent: AgentOptions
  readonly onNotice: OnNotice
}

/** The findings to draw beside a notice. */
function findingsOf(event: DevEvent): readonly Diagnostic[] {
  if (event.type === 'rejected') return event.diagnostics
  return event.type === 'warning' && event.diagnostic ? [event.diagnostic] : []
}

type Line = DevServer['diagnosticLine']

function noticeOf(event: DevEvent, line: Line): string | undefined {
  if (event.type === 'swap')
    return `plugin ${event.plugin} swapped: generation ${event.generation}, ${event.totalMs.toFixed(1)} ms`
  if (event.type === 'removed') return `plugin ${event.plugin} is gone`
  if (event.type === 'warning')
    return event.plugin === undefined ? event.message : `plugin ${event.plugin}: ${event.message}`
  if (event.type === 'ready') return undefined
  if (event.type === 'types')
    return event.diagnostics.length === 0 ? `plugin ${event.plugin}: its types are mended` : undefined
  const [first] = event.diagnostics.filter((one) => one.severity === 'error')
  const why = first === undefined ? event.phase : line(first)
  return `plugin ${event.plugin} was not swapped, the last good version answers: ${why}`
}
