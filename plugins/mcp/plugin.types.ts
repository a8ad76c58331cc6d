// Made from plugin.json by amber. Do not edit: `amber plugin types` and `amber dev` write it anew.
/** Tools, prompts and resources of the MCP servers in mcp.json, over stdio and streamable HTTP. */
export interface Mcp {
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
