import type { CommandNode } from '../../manifests/command-node.ts'
import { type HandlerNeed, handlerAt, invoke, mustBeFunction } from './handler.ts'
import { byName, type KindDefinition } from './kind.ts'

/** Commands: a root with a subtree of data and a handler a leaf; a leaf without one is inert (CMD-1, CMD-3). */
export const command: KindDefinition<'command'> = {
  field: 'commands',
  title: 'command',
  declare: (manifest) =>
    manifest.capabilities.commands.map((declared) => ({
      kind: 'command',
      name: declared.root,
      declared,
      requires: declared.requires,
      files: [],
      handlers: pathsOf(declared).map(
        (leaf): HandlerNeed => ({
          path: ['commands', declared.root, leaf],
          optional: true,
          check: mustBeFunction,
        }),
      ),
      claims: [`command:${declared.root}`],
    })),
  install: ({ declared, plugin, code }) => [
    {
      root: declared.root,
      plugin,
      node: declared,
      run: (leaf, argument) =>
        code.run(
          `command ${[declared.root, ...(leaf ? leaf.split('.') : [])].join(' ')}`,
          async (entry) => {
            if (handlerAt(entry, ['commands', declared.root, leaf]) === undefined) return undefined
            const text = await invoke(entry, ['commands', declared.root, leaf], { args: [argument] })
            return typeof text === 'string' ? text : text === undefined ? '' : String(text)
          },
          { signal: argument.signal },
        ),
    },
  ],
  combine: (installed) => byName(installed, (one) => one.root),
}

/** Every dotted path of a subtree that may have a handler; `''` is the root (CMD-1). */
function pathsOf(node: CommandNode, prefix = ''): readonly string[] {
  const children = Object.entries(node.children ?? {})
  return [prefix, ...children.flatMap(([name, child]) => pathsOf(child, prefix ? `${prefix}.${name}` : name))]
}
