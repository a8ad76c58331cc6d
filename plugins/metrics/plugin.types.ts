// Made from plugin.json by amber. Do not edit: `amber plugin types` and `amber dev` write it anew.
/** Counts turns, tool calls and their time, and writes a line to the log after each turn. */
export interface Metrics {
  tools: {}
  promptBlocks: never
  statusSegments: never
  panels: never
  commands: {}
  providers: {}
  wallets: never
  allowances: never
  searchBackends: never
  skills: never
  events: true
}
