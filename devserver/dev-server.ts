import type { AgentOptions, App } from '../host/app/app.ts'
import { EVENT_NAMES } from '../host/app/plugin-subscriptions.ts'
import type { Clock } from '../host/base/clock.ts'
import type { EventName } from '../sdk/index.ts'
import { promptOf, watchConduct } from './conduct.ts'
import { createConversation } from './conversation.ts'
import { emptyNotice } from './find-folders.ts'
import { createHistory } from './history.ts'
import { createRoutes } from './http/api.ts'
import { createEventStream } from './http/event-stream.ts'
import { createToken } from './http/guard.ts'
import { startHttpServer } from './http/http-server.ts'
import { createInspectorRoutes } from './http/inspector-api.ts'
import { createPages } from './http/pages.ts'
import { writeTokenFile } from './http/token-file.ts'
import { inspectorFiles } from './inspector/files.ts'
import { createPluginWatch, type PluginWatchDeps } from './plugin-watch.ts'
import type { DevEvent } from './protocol.ts'
import { createTurnRecord } from './turn-record.ts'
import type { WatchedFolder } from './watched-folder.ts'

/** What a dev server needs. */
export interface DevServerDeps extends Pick<PluginWatchDeps, 'open' | 'isSilent'> {
  /** Running; the dev server does not shut it down. */
  readonly app: App
  readonly clock: Clock
  /** Everything that happens, in order; `ready` when every given plugin is live or rejected. Must not throw. */
  readonly onEvent: (event: DevEvent) => void
}

/** How it is started. */
export interface DevServerOptions {
  /** See `findFolders`. */
  readonly folders: readonly WatchedFolder[]
  /** 0 takes a free one. */
  readonly port: number
  /** How the agent of `POST turn` is made; the configured provider, no session, unless said. */
  readonly agent?: AgentOptions
}

/** A running dev server (interfaces 7). */
export interface DevServer {
  /** With the token in its fragment, which reaches no log. */
  readonly url: string
  readonly port: number
  readonly token: string
  /** Resolves when everything that was touched so far is live or rejected, and told, and types are written. */
  idle(): Promise<void>
  /** Stops watching and listening, and takes the token's file away. The app goes on. */
  close(): Promise<void>
}

/**
 * Starts watching and listening; resolves once the given plugins are live or rejected and `ready` was told. Rejects
 * with an AmberError when the port cannot be had.
 */
export async function startDevServer(deps: DevServerDeps, options: DevServerOptions): Promise<DevServer> {
  const { app, clock } = deps
  const token = createToken()
  const stream = createEventStream(clock)
  const agent = options.agent ?? { mode: 'write', session: 'none' }
  const record = createTurnRecord(() => clock.monotonic())
  const history = createHistory(() => clock.now())
  const conversation = createConversation({ app, record }, agent)
  const prompt = promptOf(app, conversation.model)
  const routes = [
    ...createRoutes({ app, clock, conversation, prompt }),
    ...createInspectorRoutes({ app, history, record }),
  ]
  const pages = createPages(inspectorFiles())
  const http = await startHttpServer({ token, routes, events: stream, pages }, options.port)
  const url = `http://127.0.0.1:${http.port}/#token=${token.text}`
  const onEvent = (event: DevEvent) => {
    history.take(event)
    stream.publish(event.type, event)
    deps.onEvent(event)
  }
  const forget = await writeTokenFile(app.paths.state, {
    pid: process.pid,
    port: http.port,
    url,
    token: token.text,
  }).catch(() => {
    onEvent({ type: 'warning', message: `the token could not be written below ${app.paths.state}` })
    return () => {}
  })
  const watch = createPluginWatch({ ...deps, onEvent })
  const undo = [
    ...forwardEvents(app, stream.publish),
    ...watchConduct({ app, clock, onEvent }, prompt),
    app.onWire(record.wire),
  ]
  const stop = async () => {
    forget()
    for (const one of undo) one()
    await Promise.all([watch.close(), http.close()])
  }
  try {
    for (const folder of options.folders) {
      await watch.add(folder, { fresh: true })
      const message = emptyNotice(folder)
      if (message !== undefined) onEvent({ type: 'warning', message })
    }
  } catch (thrown) {
    await stop()
    throw thrown
  }
  onEvent({ type: 'ready', url })
  const types = watch.keepTypes()
  return {
    url,
    port: http.port,
    token: token.text,
    idle: () => types.then(() => watch.idle()),
    async close() {
      await stop()
      await types
    },
  }
}

/** The host's events go to those who listen over HTTP. */
function forwardEvents(app: App, publish: (name: string, data: unknown) => void): readonly (() => void)[] {
  const forward = (name: EventName) => app.on(name, (event) => publish(name, { type: name, ...event }))
  return EVENT_NAMES.map(forward)
}
