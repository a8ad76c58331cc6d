// Made from plugin.json by amber. Do not edit: `amber plugin types` and `amber dev` write it anew.
/** Models of many vendors behind one API, with what is left of the key's credit in the status bar. */
export interface Openrouter {
  tools: {}
  promptBlocks: never
  statusSegments: never
  panels: never
  commands: {}
  providers: {}
  wallets: "openrouter"
  allowances: never
  searchBackends: never
  skills: never
  events: false
}
