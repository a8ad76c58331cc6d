import type { CommandNode } from './command-node.ts'
import type {
  CommandManifest,
  CommandNodeManifest,
  ManifestFile,
  PresetManifest,
  PromptBlockManifest,
  ProviderManifest,
  StatusSegmentManifest,
  ToolManifest,
} from './manifest.gen.ts'
import type * as Declared from './manifest.ts'

/** Fills in every default of interfaces 4; `x-…` keys stay behind. The file must have passed its checks. */
export function normaliseManifest(file: ManifestFile): Declared.Manifest {
  return {
    id: file.id,
    version: file.version,
    name: file.name,
    description: file.description,
    category: file.category ?? 'other',
    engines: { amber: file.engines.amber },
    entry: file.entry,
    activation: file.activation ?? 'lazy',
    activationTimeoutMs: file.activationTimeoutMs ?? 5000,
    external: file.external ?? [],
    capabilities: normaliseCapabilities(file.capabilities ?? {}),
    dynamicTools: file.dynamicTools && {
      prefix: file.dynamicTools.prefix,
      configFile: file.dynamicTools.configFile,
    },
  }
}

function normaliseCapabilities(file: NonNullable<ManifestFile['capabilities']>): Declared.Capabilities {
  return {
    tools: (file.tools ?? []).map(tool),
    promptBlocks: (file.promptBlocks ?? []).map(promptBlock),
    statusSegments: (file.statusSegments ?? []).map(statusSegment),
    panels: (file.panels ?? []).map(({ id, title, requires = [] }) => ({ id, title, requires })),
    commands: (file.commands ?? []).map(command),
    providers: (file.providers ?? []).map(provider),
    wallets: (file.wallets ?? []).map(({ provider, currency = 'USD', requires = [] }) => ({
      provider,
      currency,
      requires,
    })),
    allowances: (file.allowances ?? []).map(({ provider, requires = [] }) => ({ provider, requires })),
    searchBackends: (file.searchBackends ?? []).map(({ mode, requires = [] }) => ({ mode, requires })),
    skills: (file.skills ?? []).map(({ name, description, file: path, requires = [] }) => ({
      name,
      description,
      file: path,
      requires,
    })),
  }
}

function tool(file: ToolManifest): Declared.ToolDeclaration {
  return {
    name: file.name,
    description: file.description,
    verb: file.verb ?? file.name,
    parameters: { ...file.parameters },
    readOnly: file.readOnly ?? false,
    approval: file.approval ?? 'never',
    group: file.group ?? file.name,
    maxOutputBytes: file.maxOutputBytes ?? 65_536,
    requires: file.requires ?? [],
  }
}

function promptBlock(file: PromptBlockManifest): Declared.PromptBlockDeclaration {
  return {
    name: file.name,
    priority: file.priority ?? 1000,
    placement: file.placement ?? 'tail',
    file: file.file,
    requires: file.requires ?? [],
  }
}

function statusSegment(file: StatusSegmentManifest): Declared.StatusSegmentDeclaration {
  return {
    name: file.name,
    priority: file.priority ?? 1000,
    dropPriority: file.dropPriority ?? 0,
    edge: file.edge ?? 'left',
    requires: file.requires ?? [],
  }
}

function command(file: CommandManifest): Declared.CommandDeclaration {
  return { root: file.root, ...commandNode(file), requires: file.requires ?? [] }
}

function commandNode(file: CommandNodeManifest): CommandNode {
  const { help, man, aliases, children, choices, choicesFrom, type, range } = file
  return {
    help,
    ...(man !== undefined && { man }),
    ...(aliases !== undefined && { aliases }),
    ...(children !== undefined && { children: mapValues(children, commandNode) }),
    ...(choices !== undefined && { choices }),
    ...(choicesFrom !== undefined && { choicesFrom }),
    ...(type !== undefined && { type }),
    ...(range?.[0] !== undefined && range[1] !== undefined && { range: [range[0], range[1]] as const }),
  }
}

function mapValues<In, Out>(
  record: Readonly<Record<string, In>>,
  map: (value: In) => Out,
): Record<string, Out> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))
}

function provider(file: ProviderManifest): Declared.ProviderDeclaration {
  return {
    name: file.presets[0]?.name ?? '',
    flavor: file.flavor ?? 'openai',
    ownDialect: file.ownDialect ?? false,
    presets: file.presets.map(preset),
    requires: file.requires ?? [],
  }
}

function preset(file: PresetManifest): Declared.PresetDeclaration {
  return {
    name: file.name,
    apiBase: file.apiBase,
    defaultModel: file.defaultModel ?? '',
    requiresKey: file.requiresKey ?? true,
    keyEnv: file.keyEnv ?? [],
    mergeSystem: file.mergeSystem ?? false,
  }
}
