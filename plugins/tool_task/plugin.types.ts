// Made from plugin.json by amber. Do not edit: `amber plugin types` and `amber dev` write it anew.
/** The tool that gives a piece of work to a sub-agent with a context of its own. */
export interface ToolTask {
  tools: {
    /** Gives a piece of work to a sub-agent. It has the same tools and a context of its own, knows nothing of this conversation, and its last text is the answer. Several calls in one reply work side by side. */
    "task": { arguments: TaskArguments; approval: "never" }
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
 * Arguments of the tool task.
 */
export interface TaskArguments {
/**
 * Everything the sub-agent must know: what to do, where, and what to answer.
 */
prompt: string
}
