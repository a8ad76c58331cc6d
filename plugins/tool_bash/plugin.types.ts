// Made from plugin.json by amber. Do not edit: `amber plugin types` and `amber dev` write it anew.
/** The tool that runs a command of the shell in the workspace. */
export interface ToolBash {
  tools: {
    /** Runs a command of the shell in the workspace's root and answers its output, both streams in order, with its exit code. It has no standard input and no terminal. Each call is a shell of its own: no folder or variable is carried over. */
    "bash": { arguments: BashArguments; approval: "dynamic" }
  }
  promptBlocks: never
  statusSegments: never
  panels: never
  commands: {}
  providers: {}
  wallets: never
  allowances: never
  searchBackends: never
  skills: never
  events: false
}

/**
 * Arguments of the tool bash.
 */
export interface BashArguments {
/**
 * The command, as bash reads it.
 */
command: string
/**
 * Seconds without any output after which it is ended. Default: 60.
 */
timeout?: number
}
