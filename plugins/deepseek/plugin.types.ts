// Made from plugin.json by amber. Do not edit: `amber plugin types` and `amber dev` write it anew.
/** DeepSeek's own API, with the balance of the account in the status bar. */
export interface Deepseek {
  tools: {}
  promptBlocks: never
  statusSegments: never
  panels: never
  commands: {}
  providers: {}
  wallets: "deepseek"
  allowances: never
  searchBackends: never
  skills: never
  events: false
}
