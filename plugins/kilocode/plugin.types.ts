// Made from plugin.json by amber. Do not edit: `amber plugin types` and `amber dev` write it anew.
/** The models of the Kilo gateway, with the balance of the account in the status bar. */
export interface Kilocode {
  tools: {}
  promptBlocks: never
  statusSegments: never
  panels: never
  commands: {}
  providers: {}
  wallets: "kilocode"
  allowances: never
  searchBackends: never
  skills: never
  events: false
}
