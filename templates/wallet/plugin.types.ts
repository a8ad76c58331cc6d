// Made from plugin.json by amber. Do not edit: `amber plugin types` and `amber dev` write it anew.
/** The balance of a provider's account. */
export interface TemplateWallet {
  tools: {}
  promptBlocks: never
  statusSegments: never
  panels: never
  commands: {}
  providers: {}
  wallets: "template_wallet"
  allowances: never
  searchBackends: never
  skills: never
  events: false
}
