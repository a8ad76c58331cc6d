// Generated from the schemas beside this file by generate-own-types.ts. Do not edit.

/**
 * A command tree as data: what exists, what it is called, what may follow. The handlers are bound by path elsewhere.
 */
export interface CompletionsFile {
  /**
   * Where an editor finds this schema.
   */
  $schema?: string;
  commands: Children;
}
/**
 * Commands by their word.
 */
export interface Children {
  [k: string]: CompletionsNode;
}
export interface CompletionsNode {
  /**
   * One line for the drawer and for help.
   */
  help: string;
  /**
   * The manual page.
   */
  man?: string;
  /**
   * Other words for the same command.
   *
   * @maxItems 20
   */
  aliases?: string[];
  children?: Children;
  /**
   * The legal values of the argument, where they are fixed.
   *
   * @minItems 1
   * @maxItems 500
   */
  choices?: string[];
  /**
   * What supplies the legal values of the argument, where they live and change.
   */
  choicesFrom?:
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
  type?: "int" | "float";
  /**
   * The lowest and the highest legal number.
   *
   * @minItems 2
   * @maxItems 2
   */
  range?: number[];
}

/**
 * amber's settings, config.json. Everything may be left out; options of the command line and the environment win over what stands here.
 */
export interface ConfigFile {
  /**
   * Where an editor finds this schema.
   */
  $schema?: string;
  /**
   * The provider that is used when none is named.
   */
  provider?: string;
  /**
   * The model that is used when none is named; without it the provider's own default.
   */
  model?: string;
  /**
   * What the model may do: read (look only), write (change things, asking first), yolo (change things, no questions).
   */
  mode?: "read" | "write" | "yolo";
  /**
   * How long the model may think, where it can be told.
   */
  reasoningEffort?: "off" | "low" | "medium" | "high";
  /**
   * Requests to the model in one turn, at most.
   */
  maxTurns?: number;
  /**
   * The model's context window in tokens, where nobody else says it.
   */
  contextWindow?: number;
  /**
   * Questions before a call.
   */
  approval?: {
    /**
     * Whether you are asked (ask), or what would be asked is refused (deny).
     */
    questions?: "ask" | "deny";
    /**
     * How long a question waits before it counts as no; 0 waits for ever.
     */
    timeoutSeconds?: number;
  };
  /**
   * Summing up a long conversation before it outgrows the context window.
   */
  compression?: {
    /**
     * Whether it happens by itself.
     */
    enabled?: boolean;
    /**
     * How full the window may be, in percent, before it happens.
     */
    threshold?: number;
    /**
     * How many of the newest turns always stay as they are.
     */
    minTurns?: number;
  };
  /**
   * Noticing that the model runs in circles.
   */
  detection?: {
    /**
     * The same calls over and over.
     */
    loop?: boolean;
    /**
     * The same text over and over.
     */
    duplicate?: boolean;
  };
  /**
   * How the terminal shows things.
   */
  display?: {
    /**
     * Format the model's markdown.
     */
    markdown?: boolean;
    /**
     * Plain characters for lines and marks.
     */
    ascii?: boolean;
    /**
     * A conversation line by line instead of the screen, for screen readers.
     */
    plain?: boolean;
  };
  /**
   * Sub-agents of the task tool.
   */
  subagents?: {
    /**
     * How many work at once.
     */
    parallel?: number;
    /**
     * Requests to the model for each, at most.
     */
    maxRounds?: number;
  };
}

/**
 * A provider of the user's own, providers/NAME.json: data enough for an OpenAI-compatible endpoint, or what is to differ from a plugin's preset of that name.
 */
export interface ProviderFile {
  /**
   * Where an editor finds this schema.
   */
  $schema?: string;
  /**
   * The provider's name; without it the file's name.
   */
  provider?: string;
  /**
   * The address that paths are added to.
   */
  apiBase?: string;
  /**
   * The key itself. The file is readable by its owner only.
   */
  apiKey?: string;
  /**
   * The environment variable that holds the key.
   */
  apiKeyEnv?: string;
  /**
   * The model to use.
   */
  model?: string;
  /**
   * The wire protocol.
   */
  flavor?: string;
  /**
   * Requests need a key.
   */
  requiresKey?: boolean;
  /**
   * The server takes one system message only: amber joins them.
   */
  mergeSystem?: boolean;
  /**
   * The model's context window in tokens.
   */
  contextWindow?: number;
}

/**
 * What the user decided about one plugin, plugin-state/ID.json.
 */
export interface PluginStateFile {
  /**
   * Where an editor finds this schema.
   */
  $schema?: string;
  /**
   * Whether the plugin is on.
   */
  enabled?: boolean;
  /**
   * Where an installed plugin came from; plugin update asks there.
   */
  installed?: {
    /**
     * A folder, a .tgz, npm:NAME[@VERSION] or git:URL.
     */
    from: string;
    /**
     * The version that was installed.
     */
    version?: string;
    /**
     * When, ISO 8601.
     */
    at?: string;
  };
}

/**
 * MCP servers, mcp.json, in the usual shape. A server is a program to start (command) or an address (url). In command, args, cwd, env, url and headers ${NAME} stands for a variable of amber's own environment, ${NAME:-default} for one that may be unset.
 */
export interface McpFile {
  /**
   * Where an editor finds this schema.
   */
  $schema?: string;
  /**
   * The servers by name; their tools are called mcp_<server>_<tool>.
   */
  mcpServers?: {
    [k: string]: McpServer;
  };
}
export interface McpServer {
  /**
   * How to talk to it; without it the presence of command or url decides.
   */
  type?: "stdio" | "http" | "streamable-http" | "sse";
  /**
   * The program to start.
   */
  command?: string;
  /**
   * The program's arguments.
   *
   * @maxItems 1000
   */
  args?: string[];
  /**
   * Variables added to the program's environment.
   */
  env?: {
    [k: string]: string;
  };
  /**
   * The folder that the program starts in.
   */
  cwd?: string;
  /**
   * The server's address.
   */
  url?: string;
  /**
   * Headers of each request.
   */
  headers?: {
    [k: string]: string;
  };
  /**
   * How long one call may take, in milliseconds.
   */
  timeout?: number;
  /**
   * Leave this server alone.
   */
  disabled?: boolean;
}
