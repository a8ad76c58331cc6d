import type { InstalledPromptBlock, InstalledTool } from '../../host/registry/contribution.ts'
import type { InstalledCommand, Snapshot } from '../../host/registry/snapshot.ts'
import type { CommandNode } from '../../manifests/command-node.ts'
import type { CommandArgument, ToolCall } from '../../sdk/index.ts'

/** A snapshot in which nothing is installed but what is given. */
export function handMadeSnapshot(parts: Partial<Snapshot> = {}): Snapshot {
  return {
    generation: 1,
    ledger: [],
    tools: new Map(),
    promptBlocks: [],
    statusSegments: [],
    panels: new Map(),
    commands: new Map(),
    providers: { presets: new Map(), flavors: new Map() },
    wallets: new Map(),
    allowances: new Map(),
    searchBackends: new Map(),
    skills: new Map(),
    unavailable: new Map(),
    ...parts,
  }
}

/** Tools by name, as a snapshot holds them. */
export function toolMap(...tools: readonly InstalledTool[]): ReadonlyMap<string, InstalledTool> {
  return new Map(tools.map((tool) => [tool.name, tool]))
}

/** A tool whose code is `run`; a throw in it is a throw past the guard. */
export function handMadeTool(
  name: string,
  run: (args: unknown, call: ToolCall) => unknown,
  parts: Partial<InstalledTool> = {},
): InstalledTool {
  return {
    name,
    plugin: `plugin_${name}`,
    generation: 1,
    description: `Does ${name}.`,
    verb: `${name}ing`,
    parameters: { type: 'object', properties: {} },
    readOnly: false,
    approval: 'never',
    maxOutputBytes: 65_536,
    check: async (args) => ({ ok: true, args }),
    summarize: (args) => `${name} ${JSON.stringify(args)}`,
    requiresApproval: async () => parts.approval === 'always',
    execute: async (args, call) => ({ kind: 'value', value: await run(args, call) }),
    ...parts,
  }
}

/** A prompt block of one text. */
export function handMadeBlock(
  name: string,
  text: string,
  parts: Partial<InstalledPromptBlock> = {},
): InstalledPromptBlock {
  return {
    name,
    plugin: `plugin_${name}`,
    priority: 1000,
    placement: 'tail',
    render: async () => ({ kind: 'value', value: text }),
    ...parts,
  }
}

/** A command root with handlers by dotted path. */
export function handMadeCommand(
  root: string,
  node: CommandNode,
  handlers: Readonly<Record<string, (argument: CommandArgument) => string>>,
): InstalledCommand {
  return {
    root,
    plugin: root,
    node,
    run: async (path, argument) => ({ kind: 'value', value: handlers[path]?.(argument) }),
  }
}
