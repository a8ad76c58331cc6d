// Made from plugin.json by amber. Do not edit: `amber plugin types` and `amber dev` write it anew.
/** The quota windows of a provider's account. */
export interface TemplateAllowance {
  tools: {}
  promptBlocks: never
  statusSegments: never
  panels: never
  commands: {}
  providers: {}
  wallets: never
  allowances: "template_allowance"
  searchBackends: never
  skills: never
  events: false
}
