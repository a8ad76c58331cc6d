// Made from plugin.json by amber. Do not edit: `amber plugin types` and `amber dev` write it anew.
/** Two tools over the files of the workspace, which come and go together. */
export interface TemplateToolGroup {
  tools: {
    /** Lists the files of one folder of the workspace. */
    "template_tool_group_list": { arguments: TemplateToolGroupListArguments; approval: "never" }
    /** Counts the lines of one file of the workspace. */
    "template_tool_group_count": { arguments: TemplateToolGroupCountArguments; approval: "never" }
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
 * Arguments of the tool template_tool_group_list.
 */
export interface TemplateToolGroupListArguments {
/**
 * Relative to the workspace.
 */
folder?: string
}

/**
 * Arguments of the tool template_tool_group_count.
 */
export interface TemplateToolGroupCountArguments {
/**
 * Relative to the workspace.
 */
file: string
}
