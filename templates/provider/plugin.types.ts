// Made from plugin.json by amber. Do not edit: `amber plugin types` and `amber dev` write it anew.
/** A provider of models that speaks the OpenAI protocol. */
export interface TemplateProvider {
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
