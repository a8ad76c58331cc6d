// Made from plugin.json by amber. Do not edit: `amber plugin types` and `amber dev` write it anew.
/** A slash command that says a text louder. */
export interface TemplateCommand {
  tools: {}
  promptBlocks: never
  statusSegments: never
  panels: never
  commands: {
    /** Says things */
    "template_command": "" | "shout"
  }
  providers: {}
  wallets: never
  allowances: never
  searchBackends: never
  skills: never
  events: false
}
