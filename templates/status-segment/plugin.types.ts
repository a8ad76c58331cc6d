// Made from plugin.json by amber. Do not edit: `amber plugin types` and `amber dev` write it anew.
/** A status segment that shows which tool runs. */
export interface TemplateStatusSegment {
  tools: {}
  promptBlocks: never
  statusSegments: "template_status_segment"
  panels: never
  commands: {}
  providers: {}
  wallets: never
  allowances: never
  searchBackends: never
  skills: never
  events: false
}
