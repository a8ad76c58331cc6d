/** The arguments of the tool `read`. */
export interface ReadArguments {
  /** The file, relative to the workspace's root or absolute inside it. */
  path: string
  /** The first line to show, from 1. Default: 1. */
  offset?: number
  /** How many lines to show at most. Default: 200. */
  limit?: number
}

/** What plugin.json of `tool_read` declares. */
export interface ToolRead {
  readonly tools: { readonly read: { readonly arguments: ReadArguments; readonly approval: 'never' } }
  readonly promptBlocks: never
  readonly statusSegments: never
  readonly panels: never
  readonly commands: Record<never, never>
  readonly providers: Record<never, never>
  readonly wallets: never
  readonly allowances: never
  readonly searchBackends: never
  readonly skills: never
  readonly events: false
}
