// Made from plugin.json by amber. Do not edit: `amber plugin types` and `amber dev` write it anew.
/** A provider of models that speaks a protocol of its own. */
export interface TemplateDialect {
  tools: {}
  promptBlocks: never
  statusSegments: never
  panels: never
  commands: {}
  providers: {
    "template_dialect": { dialect: true; start: false }
  }
  wallets: never
  allowances: never
  searchBackends: never
  skills: never
  events: false
}
