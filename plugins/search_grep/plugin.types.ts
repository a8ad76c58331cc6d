// Made from plugin.json by amber. Do not edit: `amber plugin types` and `amber dev` write it anew.
/** The search mode grep: regular expressions over the files of the workspace, with ripgrep. */
export interface SearchGrep {
  tools: {}
  promptBlocks: never
  statusSegments: never
  panels: never
  commands: {}
  providers: {}
  wallets: never
  allowances: never
  searchBackends: "grep"
  skills: never
  events: false
}
