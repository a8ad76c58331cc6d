// Made from plugin.json by amber. Do not edit: `amber plugin types` and `amber dev` write it anew.
/** The skill that tells the model where amber keeps each file, which command changes it and which variable moves it. */
export interface AmberSelf {
  tools: {}
  promptBlocks: never
  statusSegments: never
  panels: never
  commands: {}
  providers: {}
  wallets: never
  allowances: never
  searchBackends: never
  skills: "amber-config"
  events: false
}
