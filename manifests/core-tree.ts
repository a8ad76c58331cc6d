import type { CommandNode } from './command-node.ts'
import completions from './completions.json' with { type: 'json' }
import { readSettings } from './setting-tree.ts'

type Tree = Readonly<Record<string, CommandNode>>

/**
 * Amber's own command tree, as completions.json writes it (bundled-plugins 8); below `/get config` and `/set config`
 * stand the settings of config.schema.json. Throws when completions.json is broken.
 */
export function coreTree(): Tree {
  const commands: unknown = completions.commands
  if (isTree(commands)) return withSettings(commands)
  throw new Error('manifests/completions.json is no command tree')
}

function withSettings({ get, set, ...others }: Tree): Tree {
  if (get?.children?.config === undefined || set?.children?.config === undefined)
    throw new Error('manifests/completions.json lacks /get config or /set config')
  const settings = readSettings()
  const shown = settings.map(({ key, description }) => [key, { help: description }] as const)
  const taken = settings.map(({ key, node }) => [key, node] as const)
  return {
    ...others,
    get: withChildren(get, { config: withChildren(get.children.config, Object.fromEntries(shown)) }),
    set: withChildren(set, {
      config: withChildren(set.children.config, Object.fromEntries(taken)),
      default: {
        ...set.children.default,
        help: set.children.default?.help ?? '',
        choices: settings.map(({ key }) => key),
      },
    }),
  }
}

function withChildren(node: CommandNode, children: Tree): CommandNode {
  return { ...node, children: { ...node.children, ...children } }
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && Object.values(value).every(isNode)
}

/** The schema says more; this is what the host relies on. */
function isNode(value: unknown): value is CommandNode {
  if (typeof value !== 'object' || value === null || !('help' in value)) return false
  return typeof value.help === 'string' && (!('children' in value) || isTree(value.children))
}
