// Generated from the schemas beside this file by generate-own-types.ts. Do not edit.

/**
 * Services of the host without which this contribution declines; the rest of the plugin stays.
 */
export type Requires = ("jobs" | "todos" | "subagents" | "skills" | "search" | "workspace" | "shell")[];
/**
 * One line for the drawer and for help.
 */
export type Help = string;
/**
 * The manual page.
 */
export type Man = string;
/**
 * Other words for the same command.
 *
 * @maxItems 20
 */
export type Aliases = string[];
/**
 * The legal values of the argument, where they are fixed.
 *
 * @minItems 1
 * @maxItems 500
 */
export type Choices = string[];
/**
 * What supplies the legal values of the argument, where they live and change.
 */
export type ChoicesFrom =
  | "providers"
  | "models"
  | "plugins"
  | "tools"
  | "sessions"
  | "skills"
  | "jobs"
  | "windows"
  | "panels"
  | "mcpServers"
  | "files"
  | "commands"
  | "settings";
/**
 * The argument is a number of this type.
 */
export type ArgumentType = "int" | "float";
/**
 * The lowest and the highest legal number.
 *
 * @minItems 2
 * @maxItems 2
 */
export type Range = number[];

/**
 * An amber plugin's manifest, plugin.json: who the plugin is and everything it contributes. What is said here is data that amber reads without running any code; the entry supplies behaviour only.
 */
export interface ManifestFile {
  /**
   * Where an editor finds this schema, so that it completes and checks the manifest.
   */
  $schema?: string;
  /**
   * The version of the manifest language. An older one is brought up to date in memory, with a notice.
   */
  manifestVersion: number;
  /**
   * The plugin's name among all plugins: lower-case letters, digits and _, a letter first, 40 characters at most.
   */
  id: string;
  /**
   * The plugin's own version, a semantic version.
   */
  version: string;
  /**
   * The name that people read in listings.
   */
  name: string;
  /**
   * What the plugin is for, in one sentence.
   */
  description: string;
  /**
   * The heading under which listings show the plugin.
   */
  category?: string;
  /**
   * What the plugin runs on.
   */
  engines: {
    /**
     * The versions of amber that the plugin works with, as a semver range.
     */
    amber: string;
  };
  /**
   * The file with the plugin's behaviour, relative to this one: TypeScript, which amber builds on the way, or JavaScript. A plugin whose contributions are all data needs none.
   */
  entry?: string;
  /**
   * When the entry is loaded: at the first call of one of its contributions (lazy), or when amber starts, which a plugin that subscribes to events needs (startup).
   */
  activation?: "lazy" | "startup";
  /**
   * How long the entry may take to come up, in milliseconds.
   */
  activationTimeoutMs?: number;
  /**
   * Packages that cannot be bundled with the entry (native ones); they are resolved from the plugin's own folder.
   *
   * @maxItems 200
   */
  external?: string[];
  capabilities?: Capabilities;
  dynamicTools?: DynamicToolsManifest;
}
/**
 * Everything that the plugin contributes, by kind.
 */
export interface Capabilities {
  /**
   * Tools that the model may call.
   *
   * @maxItems 500
   */
  tools?: ToolManifest[];
  /**
   * Texts that go to the model with every request.
   *
   * @maxItems 500
   */
  promptBlocks?: PromptBlockManifest[];
  /**
   * Segments of the status bar.
   *
   * @maxItems 500
   */
  statusSegments?: StatusSegmentManifest[];
  /**
   * Full-screen views.
   *
   * @maxItems 500
   */
  panels?: PanelManifest[];
  /**
   * Slash commands, each a root with a subtree.
   *
   * @maxItems 500
   */
  commands?: CommandManifest[];
  /**
   * Providers of models: a wire protocol and the endpoints that speak it.
   *
   * @maxItems 500
   */
  providers?: ProviderManifest[];
  /**
   * Balances of the plugin's own presets.
   *
   * @maxItems 500
   */
  wallets?: WalletManifest[];
  /**
   * Usage windows of subscriptions to the plugin's own presets.
   *
   * @maxItems 500
   */
  allowances?: AllowanceManifest[];
  /**
   * Ways to search the workspace, each a mode of the search tool.
   *
   * @maxItems 500
   */
  searchBackends?: SearchBackendManifest[];
  /**
   * Instructions that the model reads when it needs them.
   *
   * @maxItems 500
   */
  skills?: SkillManifest[];
}
/**
 * A tool that the model may call.
 */
export interface ToolManifest {
  /**
   * What the model calls: letters, digits, _ and -, 64 at most.
   */
  name: string;
  /**
   * Tells the model what the tool does and when to use it.
   */
  description: string;
  parameters: ParametersSchema;
  /**
   * The tool changes nothing: it is offered in read mode and may run beside others.
   */
  readOnly?: boolean;
  /**
   * Whether a call waits for the user's word: never, always, or dynamic (the entry's requiresApproval decides for each call).
   */
  approval?: "never" | "always" | "dynamic";
  /**
   * What the screen says while the tool runs.
   */
  verb?: string;
  /**
   * Tools of one group are installed and removed together; without it a tool is a group of its own.
   */
  group?: string;
  requires?: Requires;
  /**
   * How many bytes of output go to the model; the rest is cut with a note.
   */
  maxOutputBytes?: number;
}
/**
 * The tool's arguments as a JSON Schema, 2020-12 or draft-07, an object at the top. It goes to the model, arguments are checked against it, and the handler's types are made from it. References stay inside the schema.
 */
export interface ParametersSchema {
  /**
   * Arguments are always an object.
   */
  type?: "object";
  /**
   * The arguments by name, each a JSON Schema; a description of each helps the model.
   */
  properties?: {
    [k: string]: unknown;
  };
  /**
   * Names of the arguments that a call must give.
   */
  required?: string[];
  /**
   * false refuses arguments that are not listed, and tells the model which are.
   */
  additionalProperties?: boolean;
  [k: string]: unknown;
}
/**
 * A text that goes to the model with every request. With a file it needs no code; without one the entry renders it.
 */
export interface PromptBlockManifest {
  /**
   * The block's name.
   */
  name: string;
  /**
   * Blocks stand in the order of this number, small first; amber's own are at 100, 200 and 300.
   */
  priority?: number;
  /**
   * Where it stands: after the base prompt (system) or before the conversation (head), both in the part that servers cache, or after the conversation (tail), the place for what changes.
   */
  placement?: "system" | "head" | "tail";
  /**
   * The file with the text, relative to the manifest.
   */
  file?: string;
  requires?: Requires;
}
/**
 * A segment of the status bar; the entry renders it.
 */
export interface StatusSegmentManifest {
  /**
   * The segment's name.
   */
  name: string;
  /**
   * Segments stand in the order of this number within their edge, small first.
   */
  priority?: number;
  /**
   * When the bar is too narrow the segment with the highest number goes first, 0 last.
   */
  dropPriority?: number;
  /**
   * Which end of the bar it keeps to.
   */
  edge?: "left" | "right";
  requires?: Requires;
}
/**
 * A full-screen view; the entry draws its lines.
 */
export interface PanelManifest {
  /**
   * The panel's id.
   */
  id: string;
  /**
   * What stands in the panel's frame.
   */
  title: string;
  requires?: Requires;
}
/**
 * A slash command: a root and what stands under it. A node to which the entry binds nothing shows its page.
 */
export interface CommandManifest {
  /**
   * The first word after the slash.
   */
  root: string;
  help: Help;
  man?: Man;
  aliases?: Aliases;
  children?: Children;
  choices?: Choices;
  choicesFrom?: ChoicesFrom;
  type?: ArgumentType;
  range?: Range;
  requires?: Requires;
}
/**
 * The commands under this one, by their word.
 */
export interface Children {
  [k: string]: CommandNodeManifest;
}
/**
 * A command under a root.
 */
export interface CommandNodeManifest {
  help: Help;
  man?: Man;
  aliases?: Aliases;
  children?: Children;
  choices?: Choices;
  choicesFrom?: ChoicesFrom;
  type?: ArgumentType;
  range?: Range;
}
/**
 * A provider of models: the wire protocol that it speaks, and its endpoints as presets.
 */
export interface ProviderManifest {
  /**
   * The wire protocol: openai, which amber speaks itself, or one that a plugin brings.
   */
  flavor?: string;
  /**
   * The entry brings the protocol of this flavor.
   */
  ownDialect?: boolean;
  /**
   * The endpoints; the first one's name is the provider's name.
   *
   * @minItems 1
   * @maxItems 200
   */
  presets: PresetManifest[];
  requires?: Requires;
}
/**
 * One endpoint.
 */
export interface PresetManifest {
  /**
   * What --provider names.
   */
  name: string;
  /**
   * The address that paths are added to; empty when the user is to give one. Without the key the entry's start handler runs a server and says where.
   */
  apiBase?: string;
  /**
   * The model that is used when none is named; empty when there is no sensible one.
   */
  defaultModel?: string;
  /**
   * Requests need a key.
   */
  requiresKey?: boolean;
  /**
   * Environment variables that may hold the key; the first one set is taken.
   *
   * @maxItems 20
   */
  keyEnv?: string[];
  /**
   * The server takes one system message only: amber joins them.
   */
  mergeSystem?: boolean;
}
/**
 * A balance; the entry fetches it, amber decides when.
 */
export interface WalletManifest {
  /**
   * One of the plugin's own presets.
   */
  provider: string;
  /**
   * The currency of a bare number.
   */
  currency?: string;
  requires?: Requires;
}
/**
 * The usage windows of a subscription; the entry fetches them, amber decides when.
 */
export interface AllowanceManifest {
  /**
   * One of the plugin's own presets.
   */
  provider: string;
  requires?: Requires;
}
/**
 * A way to search the workspace.
 */
export interface SearchBackendManifest {
  /**
   * The mode by which the search tool names it.
   */
  mode: string;
  requires?: Requires;
}
/**
 * Instructions that the model reads when it needs them. With a file it needs no code; without one the entry writes the text.
 */
export interface SkillManifest {
  /**
   * The skill's name.
   */
  name: string;
  /**
   * What it is about and when to read it; the model sees this line only, until it reads the skill.
   */
  description: string;
  /**
   * The SKILL.md, relative to the manifest.
   */
  file?: string;
  requires?: Requires;
}
/**
 * Tools that nobody can know before the plugin runs, such as those of a server; the entry contributes them with host.offerTools.
 */
export interface DynamicToolsManifest {
  /**
   * How the name of each such tool begins.
   */
  prefix: string;
  /**
   * The JSON file in amber's config folder that says which tools there are. Where it exists, the plugin starts with amber; where it does not, nothing of the plugin is loaded.
   */
  configFile?: string;
}
