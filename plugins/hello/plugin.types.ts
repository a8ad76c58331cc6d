// Made from plugin.json by amber. Do not edit: `amber plugin types` and `amber dev` write it anew.
/** The smallest useful plugin: one command and one tool that greet. */
export interface Hello {
  tools: {
    /** Greets somebody by name. Use it when the user asks for a greeting. */
    "greet": { arguments: GreetArguments; approval: "never" }
  }
  promptBlocks: never
  statusSegments: never
  panels: never
  commands: {
    /** Greets */
    "hello": "" | "greet"
  }
  providers: {}
  wallets: never
  allowances: never
  searchBackends: never
  skills: never
  events: false
}

/**
 * Arguments of the tool greet.
 */
export interface GreetArguments {
/**
 * Who is greeted; default: world.
 */
name?: string
}
