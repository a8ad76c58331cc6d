import { join } from 'node:path'
import { createAgent } from '../../host/agent/agent.ts'
import { callTool } from '../../host/agent/call-tool.ts'
import type { App, ProviderRow } from '../../host/app/app.ts'
import type { AppOptions } from '../../host/app/create-app.ts'
import type { Clock } from '../../host/base/clock.ts'
import { AmberError } from '../../host/base/errors.ts'
import { createEventBus } from '../../host/base/event-bus.ts'
import { type CoreHandler, createDispatcher } from '../../host/command/dispatch.ts'
import { commandTree } from '../../host/command/tree.ts'
import type { Snapshot } from '../../host/registry/snapshot.ts'
import { createSessionStore } from '../../host/session/session-store.ts'
import type { CommandNode } from '../../manifests/command-node.ts'
import { handMadeSnapshot } from './hand-made.ts'
import { createScriptedClient, type Step } from './scripted-client.ts'

/** What a fake app is made of. */
export interface FakeAppParts {
  readonly steps?: readonly Step[]
  readonly snapshot?: Partial<Snapshot>
  readonly core?: Readonly<Record<string, CommandNode>>
  readonly plugins?: ReturnType<App['plugins']['list']>
  readonly providers?: readonly ProviderRow[]
  /** What could be used; undefined as if a provider were named. */
  readonly offers?: Awaited<ReturnType<App['offers']>>
  /** Makes createAgent reject with it. */
  readonly agentError?: AmberError
  /** Said when the app starts. */
  readonly notice?: string
}

/** Makes apps that are real but for their plugins and their model; `opened` counts, `shut` counts. */
export function createFakeApps(parts: FakeAppParts = {}): {
  readonly create: (options: AppOptions) => Promise<App>
  readonly opened: AppOptions[]
  shut(): number
} {
  const opened: AppOptions[] = []
  let shut = 0
  return {
    opened,
    shut: () => shut,
    create: async (options) => {
      opened.push(options)
      if (parts.notice !== undefined) options.onNotice(parts.notice)
      return fakeApp(parts, options, () => shut++)
    },
  }
}

function fakeApp(parts: FakeAppParts, options: AppOptions, onShutdown: () => void): App {
  const { clock }: { clock: Clock } = options
  const bus = createEventBus({ clock, onFault: () => {} })
  const snapshot = handMadeSnapshot(parts.snapshot)
  const bound = new Map<string, CoreHandler>()
  const core = parts.core ?? {}
  const dispatcher = createDispatcher({ core, handler: (path) => bound.get(path), snapshot: () => snapshot })
  const absent = async () => ({ kind: 'unchanged' as const, plugin: 'none' })
  return {
    paths: options.paths,
    snapshot: () => snapshot,
    found: [],
    plugins: {
      witness: () => undefined,
      list: () => parts.plugins ?? [],
      info: () => undefined,
      enable: absent,
      disable: absent,
      swap: absent,
      offer: absent,
      remove: absent,
      inputs: () => [],
    },
    on: (name, handler) => bus.subscribe('test', name, handler).dispose,
    onDiagnostic: () => () => {},
    onWire: () => () => {},
    callTool: (name, args, how) =>
      callTool(
        { snapshot: () => snapshot, bus, clock, mode: () => 'write', onAbandoned: () => {} },
        { name, args },
        how,
      ),
    runCommand: dispatcher.run,
    commandTree: () => commandTree(core, snapshot),
    choices: () => [],
    prepareChoices: async () => false,
    onSetting: () => () => {},
    bindCommand(path, handler) {
      bound.set(path, handler)
      return () => bound.delete(path)
    },
    providers: async () => parts.providers ?? [],
    offers: async () => parts.offers,
    connect: async () => {
      throw parts.agentError ?? noProvider
    },
    modelCache: { read: async () => undefined, write: async () => {} },
    async createAgent(settings) {
      if (parts.agentError !== undefined) throw parts.agentError
      const { provider, model } = settings
      return createAgent(
        {
          client: createScriptedClient(parts.steps ?? [{ text: 'Hello.' }], {
            ...(provider === undefined ? {} : { provider }),
            ...(model === undefined ? {} : { model }),
          }),
          bus,
          clock,
          snapshot: () => snapshot,
          prompt: { base: 'You are amber.', coreBlocks: [] },
          pluginErrors: () => [],
        },
        settings,
      )
    },
    sessions: async () =>
      createSessionStore({
        parent: join(options.paths.state, 'sessions'),
        workspace: options.paths.workspace,
        clock,
        random: Math.random,
        onNotice: options.onNotice,
      }),
    undoStored: () => Promise.reject(new Error('no session is stored')),
    jobs: noJobs,
    shutdown: async () => onShutdown(),
  }
}

const NO_JOB = { ok: false, error: 'there are no jobs here' } as const

/** Jobs of an app that runs nothing. */
const noJobs: App['jobs'] = {
  start: async () => NO_JOB,
  read: async () => NO_JOB,
  stop: async () => NO_JOB,
  list: async () => [],
  running: () => ({ count: 0, secondsLeft: undefined }),
  ids: () => [],
}

/** The error of a run that no provider was named for. */
export const noProvider = new AmberError(
  'configuration',
  'No provider is named, and OPENAI_API_KEY is set.',
  'Name it: --provider openai',
)
