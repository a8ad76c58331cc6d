// Made from plugin.json by amber. Do not edit: `amber plugin types` and `amber dev` write it anew.
/** A search backend that finds the files of a folder by name. */
export interface TemplateSearchBackend {
  tools: {}
  promptBlocks: never
  statusSegments: never
  panels: never
  commands: {}
  providers: {}
  wallets: never
  allowances: never
  searchBackends: "template_search_backend"
  skills: never
  events: false
}
