import { join } from 'node:path'
import type { PluginUi } from '../../sdk/index.ts'
import type { Clock } from '../base/clock.ts'
import type { ConfigStore } from '../base/config.ts'
import type { AmberPaths } from '../base/paths.ts'
import type { CoreHandler } from '../command/dispatch.ts'
import type { CommandTree } from '../command/tree.ts'
import type { ModelCache } from '../llm/model-cache.ts'
import type { Snapshot } from '../registry/snapshot.ts'
import type { ProviderRow } from './app.ts'
import type { Connect } from './connector.ts'
import type { ConversationServices } from './conversation-services.ts'
import { coreCommands } from './core-commands.ts'
import type { Host } from './create-host.ts'
import { mcpCommands } from './mcp-commands.ts'
import type { McpPart } from './mcp-part.ts'
import type { RunChoice } from './run-choice.ts'
import { sessionCommands } from './session-commands.ts'
import { type SettingCommandDeps, settingCommands } from './setting-commands.ts'
import { workspaceCommands } from './workspace-commands.ts'
import type { WorkspacePart } from './workspace-part.ts'

/** What amber's own commands are made of. */
export interface AmberCommandDeps {
  readonly host: Pick<Host, 'plugins'>
  readonly paths: AmberPaths
  readonly clock: Clock
  readonly config: ConfigStore
  readonly snapshot: () => Snapshot
  readonly tree: () => CommandTree
  readonly providers: (named: { readonly provider?: string }) => Promise<readonly ProviderRow[]>
  readonly connect: Connect
  readonly models: ModelCache
  readonly part: WorkspacePart
  readonly mcp: McpPart
  readonly sessions: ConversationServices['sessions']
  readonly given: RunChoice
  readonly files: () => Promise<readonly string[]>
  /** Who asks the user in amber's own name. */
  readonly ui: PluginUi
  readonly changed: SettingCommandDeps['changed']
}

type Handlers = ReadonlyMap<string, CoreHandler>

/** The handler of a path of amber's own tree, where one works without a conversation. */
export function amberCommands(deps: AmberCommandDeps): (path: string) => CoreHandler | undefined {
  const { host, paths, config, snapshot, part, sessions, given } = deps
  const providers = () => deps.providers(given.flags)
  const own: readonly Handlers[] = [
    coreCommands({ plugins: host.plugins, tree: deps.tree, providers }),
    sessionCommands(sessions),
    workspaceCommands({ part, snapshot, workspace: paths.workspace, sessions }),
    mcpCommands({ mcp: deps.mcp, plugins: host.plugins, file: join(paths.config, 'mcp.json') }),
    settingCommands({ config, given: given.settings, changed: deps.changed }),
  ]
  const late = [
    lateCommands('provider', async () =>
      (await import('./provider-commands.ts')).providerCommands({
        ...deps,
        providers,
        config: paths.config,
        settings: config,
      }),
    ),
    lateCommands('files', async () =>
      (await import('./file-commands.ts')).fileCommands({ workspace: part.workspace, files: deps.files }),
    ),
    lateCommands('', async () =>
      (await import('./choice-commands.ts')).choiceCommands({ ...deps, providers, flags: given.flags }),
    ),
  ]
  return (path) =>
    own.find((handlers) => handlers.has(path))?.get(path) ??
    late.find((handlers) => handlers.has(path))?.get(path)
}

/** Paths whose code is loaded when one of them runs: no start waits for it. */
const LATE: Readonly<Record<string, readonly string[]>> = {
  provider: ['provider.add', 'provider.edit', 'provider.delete', 'provider.test'],
  files: ['files.ls', 'files.tree', 'files.open', 'files.find'],
  '': [
    'get.model',
    'get.provider',
    'get.model.list',
    'get.model.context',
    'get.provider.wallet',
    'get.policy',
    'set.policy.mode',
    'set.model',
    'set.provider',
  ],
}

function lateCommands(group: string, load: () => Promise<Handlers>): Handlers {
  const run =
    (path: string): CoreHandler =>
    async (argument) => {
      const handler = (await load()).get(path)
      if (handler === undefined) throw new Error(`no handler for ${path}`)
      return handler(argument)
    }
  return new Map((LATE[group] ?? []).map((path) => [path, run(path)]))
}
