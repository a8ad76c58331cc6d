// Made from plugin.json by amber. Do not edit: `amber plugin types` and `amber dev` write it anew.
/** The search mode semantic: a question in words, answered with the places in the workspace that are most about it. */
export interface SearchSemantic {
  tools: {}
  promptBlocks: never
  statusSegments: never
  panels: never
  commands: {}
  providers: {}
  wallets: never
  allowances: never
  searchBackends: "semantic"
  skills: never
  events: false
}
