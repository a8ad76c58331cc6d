// Made from plugin.json by amber. Do not edit: `amber plugin types` and `amber dev` write it anew.
/** The tool that searches the workspace through the enabled search backends. */
export interface ToolSearch {
  tools: {
    /** Searches the files of the workspace and answers the matching lines as path:line: text. Files that .gitignore leaves out and binary files are not searched. */
    "search": { arguments: SearchArguments; approval: "never" }
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
 * Arguments of the tool search.
 */
export interface SearchArguments {
/**
 * What to search for. In mode grep a regular expression, case-sensitive unless it begins with (?i); put \ before special characters that are meant literally.
 */
pattern: string
/**
 * The file or folder to search in, inside the workspace. Default: all of it.
 */
path?: string
/**
 * Only these files: *.ts (by name), src/** /*.{js,ts} (by path from the workspace's root), !*.test.ts (all others).
 */
glob?: string
/**
 * How to search. Default: grep.
 */
mode?: string
/**
 * How many matches to show at most. Default: 200.
 */
max?: number
}
