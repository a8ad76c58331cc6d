// Made from plugin.json by amber. Do not edit: `amber plugin types` and `amber dev` write it anew.
/** The models of Command Code, with its credits and quota windows in the status bar. */
export interface Commandcode {
  tools: {}
  promptBlocks: never
  statusSegments: never
  panels: never
  commands: {}
  providers: {}
  wallets: never
  allowances: "commandcode"
  searchBackends: never
  skills: never
  events: false
}
