// Made from plugin.json by amber. Do not edit: `amber plugin types` and `amber dev` write it anew.
/** The tool that reads text files of the workspace. */
export interface ToolRead {
  tools: {
    /** Reads a text file of the workspace with line numbers. The last line of the answer says whether the file ends there, or at which offset to go on. Naming a folder answers what is in it. */
    "read": { arguments: ReadArguments; approval: "never" }
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
 * Arguments of the tool read.
 */
export interface ReadArguments {
/**
 * The file, relative to the workspace's root or absolute inside it.
 */
path: string
/**
 * The first line to show, from 1. Default: 1.
 */
offset?: number
/**
 * How many lines to show at most. Default: 200.
 */
limit?: number
}
