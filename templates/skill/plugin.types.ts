// Made from plugin.json by amber. Do not edit: `amber plugin types` and `amber dev` write it anew.
/** A skill that the model reads when it needs it. */
export interface TemplateSkill {
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
