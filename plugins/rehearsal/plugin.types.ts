// Made from plugin.json by amber. Do not edit: `amber plugin types` and `amber dev` write it anew.
/** A provider that needs no model: a server on this machine that calls tools when the prompt asks for them in plain words. */
export interface Rehearsal {
  tools: {}
  promptBlocks: never
  statusSegments: never
  panels: never
  commands: {}
  providers: {
    "rehearsal": { dialect: false; start: true }
  }
  wallets: never
  allowances: never
  searchBackends: never
  skills: never
  events: false
}
