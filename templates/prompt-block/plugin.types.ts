// Made from plugin.json by amber. Do not edit: `amber plugin types` and `amber dev` write it anew.
/** A prompt block that tells the model to answer briefly. */
export interface TemplatePromptBlock {
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
  events: false
}
