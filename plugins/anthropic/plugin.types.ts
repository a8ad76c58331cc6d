// Made from plugin.json by amber. Do not edit: `amber plugin types` and `amber dev` write it anew.
/** Claude through Anthropic's own API and its Messages protocol. */
export interface Anthropic {
  tools: {}
  promptBlocks: never
  statusSegments: never
  panels: never
  commands: {}
  providers: {
    "anthropic": { dialect: true; start: false }
  }
  wallets: never
  allowances: never
  searchBackends: never
  skills: never
  events: false
}
