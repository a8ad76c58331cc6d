import { join } from 'node:path'
import type { CommandNode } from '../../manifests/command-node.ts'
import { isRecord, type SelfDescription, type SelfService } from '../../sdk/index.ts'
import type { ConfigStore } from '../base/config.ts'
import type { AmberPaths } from '../base/paths.ts'
import { AMBER_VERSION } from '../base/version.ts'
import type { CommandTree } from '../command/tree.ts'

/** What the description is made from, each time anew. */
export interface SelfServiceDeps {
  readonly paths: AmberPaths
  readonly env: Readonly<Record<string, string | undefined>>
  readonly config: ConfigStore
  readonly tree: () => CommandTree
  /** Variables that hold providers' keys. */
  readonly keyVariables: () => readonly string[]
}

const VARIABLES: readonly (readonly [name: string, about: string])[] = [
  ['AMBER_HOME', 'one folder for config, state and cache'],
  ['AMBER_WORKSPACE', 'the folder to work in'],
  ['AMBER_PROVIDER', 'the provider to ask'],
  ['AMBER_MODEL', 'the model to ask'],
  ['AMBER_API_BASE', 'where the provider’s API is'],
  ['AMBER_API_KEY', 'the key of the provider that is named'],
  ['AMBER_DEBUG', '1 shows stacks of errors'],
  ['HTTPS_PROXY', 'the proxy for requests'],
  ['NO_PROXY', 'hosts that are reached without the proxy'],
  ['NODE_EXTRA_CA_CERTS', 'a file of further certificates to trust'],
]

/** Describes amber as it is at that moment: real paths, real settings; never the value of a key (PRO-13). */
export function createSelfService(deps: SelfServiceDeps): SelfService {
  return {
    async describe(): Promise<SelfDescription> {
      const keys = deps.keyVariables().map((name) => [name, 'a provider’s key'] as const)
      return {
        version: AMBER_VERSION,
        places: placesOf(deps.paths),
        settings: await settingsOf(deps.config),
        environment: [...VARIABLES, ...keys].map(([name, about]) => ({
          name,
          about,
          isSet: (deps.env[name] ?? '') !== '',
        })),
        commands: [...deps.tree()].flatMap(([root, { node }]) => linesOf(root, node)),
      }
    },
  }
}

function placesOf({ config, state, cache, workspace, installation }: AmberPaths): SelfDescription['places'] {
  const configured = ['AMBER_HOME', 'XDG_CONFIG_HOME']
  const stated = ['AMBER_HOME', 'XDG_STATE_HOME']
  return [
    { what: 'settings', path: join(config, 'config.json'), movedBy: configured },
    { what: 'MCP servers', path: join(config, 'mcp.json'), movedBy: configured },
    { what: 'your providers, one file each', path: join(config, 'providers'), movedBy: configured },
    { what: 'installed plugins', path: join(config, 'plugins'), movedBy: configured },
    { what: 'which plugins are off', path: join(config, 'plugin-state'), movedBy: configured },
    { what: 'your skills', path: join(config, 'skills'), movedBy: configured },
    { what: 'stored conversations', path: join(state, 'sessions'), movedBy: stated },
    { what: 'the log', path: join(state, 'logs', 'amber.log'), movedBy: stated },
    { what: 'what can be made again', path: cache, movedBy: ['AMBER_HOME', 'XDG_CACHE_HOME'] },
    { what: 'the workspace', path: workspace, movedBy: ['AMBER_WORKSPACE'] },
    {
      what: 'plugins of the workspace',
      path: join(workspace, '.amber', 'plugins'),
      movedBy: ['AMBER_WORKSPACE'],
    },
    {
      what: 'skills of the workspace',
      path: join(workspace, '.amber', 'skills'),
      movedBy: ['AMBER_WORKSPACE'],
    },
    { what: 'amber itself', path: installation, movedBy: [] },
  ]
}

/** Every setting that the schema knows, with its value where it is set. A broken file leaves the values out. */
async function settingsOf(config: ConfigStore): Promise<SelfDescription['settings']> {
  const { schemas } = await import('../../manifests/schemas.ts')
  const values: unknown = await config.read().catch(() => ({}))
  return leavesOf(schemas.config, '').map(({ key, about }) => {
    const value = valueAt(values, key.split('.'))
    return { key, about, ...(value === undefined ? {} : { value: JSON.stringify(value) }) }
  })
}

function leavesOf(
  schema: unknown,
  prefix: string,
): readonly { readonly key: string; readonly about: string }[] {
  if (!isRecord(schema) || !isRecord(schema.properties)) return []
  return Object.entries(schema.properties)
    .filter(([name]) => name !== '$schema')
    .flatMap(([name, property]) => {
      const below = leavesOf(property, `${prefix}${name}.`)
      if (below.length > 0) return below
      const about = isRecord(property) && typeof property.description === 'string' ? property.description : ''
      return [{ key: prefix + name, about }]
    })
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, part) => (isRecord(at) && Object.hasOwn(at, part) ? at[part] : undefined),
    value,
  )
}

function linesOf(path: string, node: CommandNode): SelfDescription['commands'] {
  const below = Object.entries(node.children ?? {}).flatMap(([name, child]) =>
    linesOf(`${path} ${name}`, child),
  )
  return [{ line: `/${path}`, help: node.help }, ...below]
}
