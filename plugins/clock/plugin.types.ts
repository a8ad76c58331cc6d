// Made from plugin.json by amber. Do not edit: `amber plugin types` and `amber dev` write it anew.
/** Shows the local time at the right end of the status bar. */
export interface Clock {
  tools: {}
  promptBlocks: never
  statusSegments: "clock"
  panels: never
  commands: {}
  providers: {}
  wallets: never
  allowances: never
  searchBackends: never
  skills: never
  events: false
}
