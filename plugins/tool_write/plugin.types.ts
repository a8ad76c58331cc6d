// Made from plugin.json by amber. Do not edit: `amber plugin types` and `amber dev` write it anew.
/** The tool that makes and changes text files of the workspace. */
export interface ToolWrite {
  tools: {
    /** Creates or changes a text file of the workspace by replacing text. Each edit's old text must occur exactly once; the edits are made in order, all of them or none. An empty old text creates or replaces the whole file. */
    "write": { arguments: WriteArguments; approval: "dynamic" }
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
 * Arguments of the tool write.
 */
export interface WriteArguments {
/**
 * The file, relative to the workspace's root or absolute inside it. Missing folders are made.
 */
path: string
/**
 * What to replace, in order: each edit sees the result of those before it.
 * 
 * @minItems 1
 */
edits: {
/**
 * The text to replace, exactly as it stands in the file, without line numbers. Empty: the whole file.
 */
old: string
/**
 * What stands there instead.
 */
new: string
/**
 * Replace every occurrence instead of demanding exactly one.
 */
all?: boolean
}[]
}
