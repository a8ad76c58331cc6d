// Made from plugin.json by amber. Do not edit: `amber plugin types` and `amber dev` write it anew.
/** Gemini through Google's own API and its generateContent protocol. */
export interface Gemini {
  tools: {}
  promptBlocks: never
  statusSegments: never
  panels: never
  commands: {}
  providers: {
    "gemini": { dialect: true; start: false }
  }
  wallets: never
  allowances: never
  searchBackends: never
  skills: never
  events: false
}
