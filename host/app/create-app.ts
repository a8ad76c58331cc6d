import { join } from 'node:path'
import { coreTree } from '../../manifests/core-tree.ts'
import { callTool } from '../agent/call-tool.ts'
import type { Clock } from '../base/clock.ts'
import { createConfigStore } from '../base/config.ts'
import { once } from '../base/disposable.ts'
import { createLog } from '../base/log.ts'
import type { AmberPaths } from '../base/paths.ts'
import { type CoreHandler, createDispatcher } from '../command/dispatch.ts'
import { commandTree } from '../command/tree.ts'
import { createAccounts } from '../llm/accounts.ts'
import { createModelCache } from '../llm/model-cache.ts'
import { findOffers } from '../llm/offers.ts'
import { listProviders } from '../llm/provider-rows.ts'
import type { ProviderSources } from '../llm/provider-sources.ts'
import { createSecrets } from '../llm/secrets.ts'
import { createTransport } from '../llm/transport.ts'
import { createWireTap } from '../llm/wire-tap.ts'
import type { UiDoor } from '../plugin/plugin-host.ts'
import { listFiles } from '../workspace/list-files.ts'
import { createSearchService } from '../workspace/search-service.ts'
import { workspacePlugins } from '../workspace/workspace-plugins.ts'
import { type AgentMaker, createAgentMaker } from './agent-maker.ts'
import { amberCommands } from './amber-commands.ts'
import type { App } from './app.ts'
import { closedUi } from './closed-ui.ts'
import { createConnector } from './connector.ts'
import { createConversationServices } from './conversation-services.ts'
import { createHost } from './create-host.ts'
import { createFileChoices } from './file-choices.ts'
import { createMcpPart } from './mcp-part.ts'
import { guardProcess } from './process-guard.ts'
import { NOTHING_GIVEN, type RunChoice } from './run-choice.ts'
import { openStoredUndo } from './stored-undo.ts'
import { createWorkspacePart } from './workspace-part.ts'

/** What the composition root is made with. */
export interface AppOptions {
  readonly paths: AmberPaths
  readonly env: Readonly<Record<string, string | undefined>>
  /** Plugin folders of `--plugin`, absolute. */
  readonly pluginFlags: readonly string[]
  /** Ids of `--without`. */
  readonly without: readonly string[]
  /** Load no plugins but the given ones (`--no-plugins`). */
  readonly noPlugins: boolean
  readonly clock: Clock
  readonly onNotice: (message: string) => void
  /** Answers the questions of plugins; without it nobody is there, and they fail closed. */
  readonly ui?: UiDoor
  /** What plugins' own timers run by, where somebody watches what they change; `clock` unless said. */
  readonly pluginClock?: Clock
  /** What the command line and the environment say for this run. */
  readonly given?: RunChoice
  /** False: registers everything and loads no plugin code, for listings (MAN-3). */
  readonly activate?: boolean
}

/** Wires a whole amber: the one composition root. Rejects only on a bug. */
export async function createApp(options: AppOptions): Promise<App> {
  const { paths, clock, env, onNotice } = options
  const commands = coreTree()
  const ui = options.ui ?? closedUi(onNotice)
  const secrets = createSecrets(env)
  const log = createLog({ folder: join(paths.state, 'logs'), clock, secrets: secrets.all })
  const part = createWorkspacePart({ paths, clock, env, snapshot: () => snapshot() })
  const { workspace } = part
  const mcp = createMcpPart({ config: paths.config, environment: part.childEnvironment, variables: env })
  const config = createConfigStore(paths.config, clock)
  const conversations = createConversationServices({
    paths,
    clock,
    env,
    config,
    workspace,
    isTrusted: () => part.trust.isTrusted(paths.workspace),
    snapshot: () => snapshot(),
    tree: () => commandTree(commands, snapshot()),
    secrets: secrets.all,
    onNotice,
  })
  const host = createHost({
    paths,
    clock,
    log,
    ui,
    ...(options.pluginClock === undefined ? {} : { pluginClock: options.pluginClock }),
    without: options.without,
    commands,
    trust: part.pluginTrust,
    services: (snapshot) => ({
      ...part.services,
      mcp: mcp.service,
      search: createSearchService({ snapshot, workspace }),
      ...conversations.services,
    }),
  })
  const snapshot = () => host.ledger.snapshot()
  const releaseProcess = guardProcess({
    running: () => host.runningPlugin(),
    claim: (thrown) => host.claimStray(thrown),
    onNotice,
  })
  const found = await host.plugins.start(placesOf(options), { activate: options.activate !== false })
  for (const one of found)
    if (one.severity === 'error') log.write('warn', 'plugins', `${one.file}: ${one.message}`)

  const abandoned = (tool: string, plugin: string) =>
    onNotice(`Tool ${tool} of plugin ${plugin} ignored its cancellation and was left to itself.`)
  const sources = async (flags: ProviderSources['flags']): Promise<ProviderSources> => {
    const { readProviderFiles } = await import('../llm/provider-files.ts')
    const [settings, { files, diagnostics }] = await Promise.all([
      config.read(),
      readProviderFiles(paths.config),
    ])
    for (const one of diagnostics) onNotice(`${one.file}:${one.line}:${one.column} ${one.message}`)
    const { providers, unavailable } = snapshot()
    secrets.learn({ env, files, providers })
    return { flags, env, config: settings, files, providers, unavailable }
  }
  const wire = createWireTap(createTransport({ clock, env }), secrets.all)
  const { transport } = wire
  const models = createModelCache(paths.cache)
  const connect = createConnector({ transport, clock, sources, models, snapshot })
  const accounts = createAccounts({ transport, clock, snapshot })
  const makeAgent: AgentMaker = createAgentMaker({
    host,
    clock,
    paths,
    connect,
    accounts,
    config,
    conversations,
    part,
    onNotice,
  })
  const bound = new Map<string, CoreHandler>()
  const providers = async (named: { readonly provider?: string }) => listProviders(await sources(named))
  const files = createFileChoices(() => listFiles(paths.workspace), clock)
  const settingHandlers = new Set<(key: string) => boolean | Promise<boolean>>()
  const handlerOf = amberCommands({
    host,
    paths,
    clock,
    config,
    snapshot,
    tree: () => commandTree(commands, snapshot()),
    providers,
    connect,
    models,
    part,
    mcp,
    sessions: conversations.sessions,
    given: options.given ?? NOTHING_GIVEN,
    files: files.list,
    ui: ui('amber'),
    changed: async (key) => {
      const answers = await Promise.all([...settingHandlers].map((handler) => handler(key)))
      return answers.includes(true)
    },
  })
  const dispatcher = createDispatcher({
    core: commands,
    snapshot,
    handler: (path) => bound.get(path) ?? handlerOf(path),
  })

  return {
    paths,
    snapshot,
    plugins: host.plugins,
    found,
    on: (name, handler) => host.bus.subscribe('amber', name, handler, { observe: true }).dispose,
    onDiagnostic: host.onDiagnostic,
    onWire: wire.on,
    callTool: (name, args, how) =>
      callTool(
        {
          snapshot,
          bus: host.bus,
          clock,
          mode: () => 'write',
          onAbandoned: abandoned,
          rules: part.rules,
        },
        { name, args },
        how,
      ),
    runCommand: (line, how) => dispatcher.run(line, how),
    commandTree: () => commandTree(commands, snapshot()),
    choices(source) {
      if (source === 'files') return files.known()
      if (source === 'commands') return [...commandTree(commands, snapshot()).keys()]
      if (source === 'sessions') return conversations.sessionIds()
      if (source === 'mcpServers') return mcp.states().map(({ name }) => name)
      return source === 'jobs' ? part.jobs.ids() : choicesOf(source, host)
    },
    prepareChoices: async (source) => source === 'files' && files.refresh(),
    onSetting(handler) {
      settingHandlers.add(handler)
      return once(() => settingHandlers.delete(handler))
    },
    mcpServers: () => mcp.states(),
    bindCommand(path, handler) {
      bound.set(path, handler)
      return once(() => {
        if (bound.get(path) === handler) bound.delete(path)
      })
    },
    providers,
    connect,
    modelCache: models,
    offers: async (named) => findOffers(await sources(named), { transport, clock }),
    createAgent: makeAgent.create,
    sessions: conversations.sessions,
    contextBlock: conversations.contextBlock,
    undoStored: async (id) => openStoredUndo(await conversations.sessions(), id, { part, snapshot }),
    jobs: part.jobs,
    async shutdown() {
      makeAgent.close()
      await host.plugins.shutdown()
      await part.close()
      mcp.close()
      accounts.dispose()
      await transport.close()
      await host.known.save()
      await log.flush()
      releaseProcess()
    },
  }
}

function placesOf({ paths, noPlugins, pluginFlags }: AppOptions) {
  const parents = [
    { folder: join(paths.installation, 'plugins'), source: 'bundled' },
    { folder: join(paths.config, 'plugins'), source: 'user' },
    { folder: workspacePlugins(paths.workspace), source: 'workspace' },
  ] as const
  return { parents: noPlugins ? [] : parents, given: pluginFlags }
}

function choicesOf(source: string, host: ReturnType<typeof createHost>): readonly string[] {
  const { tools, providers, panels, skills } = host.ledger.snapshot()
  if (source === 'plugins') return host.plugins.list().map((one) => one.id)
  if (source === 'providers') return [...providers.presets.keys()]
  if (source === 'tools') return [...tools.keys()]
  if (source === 'panels') return [...panels.keys()]
  if (source === 'skills') return [...skills.keys()]
  return []
}
