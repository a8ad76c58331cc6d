// Made from plugin.json by amber. Do not edit: `amber plugin types` and `amber dev` write it anew.
/** A panel that counts key presses. */
export interface TemplatePanel {
  tools: {}
  promptBlocks: never
  statusSegments: never
  panels: "template_panel"
  commands: {}
  providers: {}
  wallets: never
  allowances: never
  searchBackends: never
  skills: never
  events: false
}
