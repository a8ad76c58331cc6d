// Made from plugin.json by amber. Do not edit: `amber plugin types` and `amber dev` write it anew.
/** The tool that keeps the model's list of things to do, outside the conversation. */
export interface ToolPlan {
  tools: {
    /** Replaces the list of things to do in this conversation. Give the whole list each time, with every item's newest status. */
    "todowrite": { arguments: TodowriteArguments; approval: "never" }
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
 * Arguments of the tool todowrite.
 */
export interface TodowriteArguments {
/**
 * The whole list, in order.
 * 
 * @maxItems 100
 */
todos: {
/**
 * Unique in the list; keep it when the item changes.
 */
id: string
/**
 * What to do, in one line.
 */
text: string
status: ("pending" | "in_progress" | "completed" | "cancelled")
}[]
}
