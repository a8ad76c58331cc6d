// Made from plugin.json by amber. Do not edit: `amber plugin types` and `amber dev` write it anew.
/** A tool that counts the words of a text. */
export interface TemplateTool {
  tools: {
    /** Counts the words of a text. Use it when the user asks how long a text is. */
    "template_tool": { arguments: TemplateToolArguments; approval: "never" }
  }
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

/**
 * Arguments of the tool template_tool.
 */
export interface TemplateToolArguments {
/**
 * The text whose words are counted.
 */
text: string
}
