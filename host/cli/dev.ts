import { AmberError } from '../base/errors.ts'
import { EXIT } from '../headless/exit-code.ts'
import { writeJsonLine } from '../headless/output.ts'
import type { CliContext } from './context.ts'
import { canHoldScreen } from './converse.ts'
import { agentOptions, openApp, pathsOf } from './open-app.ts'

type DevEvent = import('../../devserver/index.ts').DevEvent

/** The options of `amber dev` alone. */
export interface DevOptions {
  readonly folders: readonly string[]
  /** 0 takes a free one. */
  readonly port: number
  readonly json?: boolean
  /** In the screen, beside a conversation. */
  readonly tui?: boolean
}

/** `amber dev [DIR…]`: the dev server, until Ctrl-C (interfaces 7). Gives the exit code: 0 when it was ended. */
export async function run(options: DevOptions, context: CliContext): Promise<number> {
  const { io, clock } = context
  // The dev server watches for itself what --dev would watch.
  const plain = { ...context, global: { ...context.global, dev: false } }
  const { createReport, findFolders, startDevServer } = await import('../../devserver/index.ts')
  const { workspace } = pathsOf(context)
  const folders = findFolders({ given: options.folders, cwd: io.cwd, workspace })
  if (options.tui) {
    const { terminal } = io
    if (terminal === undefined || options.json || !canHoldScreen(io)) throw cannotShow(options)
    const agent = { ...(await agentOptions(context)), session: 'none' as const }
    const serve = { folders, port: options.port, agent }
    return (await import('./screen/run.ts')).run({ ...plain, terminal }, serve)
  }
  const ended = untilEnded(context)
  const early: DevEvent[] = []
  let show = (event: DevEvent): void => {
    early.push(event)
  }
  const app = await openApp(plain, (message) => show({ type: 'warning', message }))
  const report = createReport({
    out: io.out,
    clock,
    generationOf: (plugin) => app.plugins.info(plugin)?.generation ?? 0,
    cwd: io.cwd,
    color: io.out.isTTY && !io.env.NO_COLOR && io.env.TERM !== 'dumb',
    width: columnsOf(io.env.COLUMNS),
  })
  show = options.json ? (event) => writeJsonLine(io.out, event) : report
  for (const event of early) show(event)
  try {
    const agent = { ...(await agentOptions(context)), session: 'none' as const }
    const starting = startDevServer(
      { app, clock, onEvent: (event) => show(event) },
      { folders, port: options.port, agent },
    )
    // Ctrl-C counts while the plugins load, too.
    starting.catch(() => undefined)
    const server = await Promise.race([starting, ended.promise.then(() => undefined)])
    await ended.promise
    await (server ?? (await starting)).close()
    return EXIT.done
  } finally {
    ended.dispose()
    await app.shutdown()
  }
}

function cannotShow({ json }: DevOptions): AmberError {
  return json
    ? new AmberError('usage', '--tui and --json exclude each other.', 'Give one of them.')
    : new AmberError('usage', '--tui needs a terminal that can hold a screen.', 'Without it: amber dev')
}

/** Ctrl-C, a polite request to end, or a reader that went away. */
function untilEnded({ io }: CliContext): { readonly promise: Promise<void>; readonly dispose: () => void } {
  let dispose = () => {}
  const promise = new Promise<void>((resolve) => {
    dispose = io.onInterrupt(resolve)
    io.closed.addEventListener('abort', () => resolve(), { once: true })
    if (io.closed.aborted) resolve()
  })
  return { promise, dispose: () => dispose() }
}

function columnsOf(text: string | undefined): number {
  const columns = Number(text)
  return Number.isInteger(columns) && columns >= 40 && columns <= 1000 ? columns : 100
}
