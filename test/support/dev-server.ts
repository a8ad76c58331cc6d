import type { TestContext } from 'node:test'
import { type DevEvent, type DevServer, findFolders, startDevServer } from '../../devserver/index.ts'
import type { PluginWatchDeps } from '../../devserver/plugin-watch.ts'
import type { App } from '../../host/app/app.ts'
import { systemClock } from '../../host/base/clock.ts'
import { atEnd } from './at-end.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { testApp } from './test-app.ts'
import { PATIENCE_MS } from './until.ts'

/** What a dev server or a watch told, in order. */
export interface Heard {
  readonly events: readonly DevEvent[]
  readonly hear: (event: DevEvent) => void
  /** The first event not taken yet that fits; waits for it. Those before it count as taken. */
  next(what: string, fits: (event: DevEvent) => boolean): Promise<DevEvent>
  /** The next swap of a plugin. */
  swap(plugin: string): Promise<Extract<DevEvent, { type: 'swap' }>>
  rejected(plugin: string): Promise<Extract<DevEvent, { type: 'rejected' }>>
}

/** Makes an ear. */
export function createEar(): Heard {
  const events: DevEvent[] = []
  let taken = 0
  let wake = () => {}
  const next: Heard['next'] = async (what, fits) => {
    for (;;) {
      const index = events.findIndex((event, at) => at >= taken && fits(event))
      const event = events[index]
      if (event) {
        taken = index + 1
        return event
      }
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new Error(`no ${what}; heard: ${JSON.stringify(events)}`)),
          PATIENCE_MS,
        )
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }
  return {
    events,
    next,
    hear(event) {
      events.push(event)
      wake()
    },
    async swap(plugin) {
      const event = await next(`swap of ${plugin}`, (one) => one.type === 'swap' && one.plugin === plugin)
      if (event.type !== 'swap') throw new Error('unreachable')
      return event
    },
    async rejected(plugin) {
      const event = await next(
        `rejection of ${plugin}`,
        (one) => one.type === 'rejected' && one.plugin === plugin,
      )
      if (event.type !== 'rejected') throw new Error('unreachable')
      return event
    },
  }
}

/** A dev server over folders, and what it told. */
export interface TestDevServer extends Heard {
  readonly app: App
  readonly server: DevServer
  /** Calls a tool and gives its output, or `error: …`. */
  call(tool: string): Promise<string>
}

/** Starts a dev server; it is closed when the test ends. */
export async function testDevServer(
  t: TestContext,
  options: {
    readonly folders: readonly string[]
    readonly bundled?: boolean
    readonly watch?: Pick<PluginWatchDeps, 'open' | 'isSilent'>
  },
): Promise<TestDevServer> {
  const home = temporaryFolder(t)
  const app = await testApp(t, { home, ...(options.bundled ? { bundled: true } : {}) })
  const ear = createEar()
  const folders = findFolders({ given: options.folders, cwd: home, workspace: home })
  const server = await startDevServer(
    { app, clock: systemClock, onEvent: ear.hear, ...options.watch },
    { folders, port: 0 },
  )
  atEnd(t, () => server.close())
  await ear.next('ready', (one) => one.type === 'ready')
  return {
    ...ear,
    app,
    server,
    async call(tool) {
      const { ok, output = '', error = '' } = await app.callTool(tool, {}, {})
      return ok ? output : `error: ${error}`
    },
  }
}
