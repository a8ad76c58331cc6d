// Made from plugin.json by amber. Do not edit: `amber plugin types` and `amber dev` write it anew.
/** The models of an OpenCode Go subscription, with its quota windows in the status bar. */
export interface OpencodeGo {
  tools: {}
  promptBlocks: never
  statusSegments: never
  panels: never
  commands: {}
  providers: {}
  wallets: never
  allowances: "opencode_go"
  searchBackends: never
  skills: never
  events: false
}
