/** The arguments of the tool `search`. */
export interface SearchArguments {
  /** What to search for. */
  pattern: string
  /** The file or folder to search in, inside the workspace. Default: all of it. */
  path?: string
  /** Only these files. */
  glob?: string
  /** How to search. Default: grep. */
  mode?: string
  /** How many matches to show at most. Default: 200. */
  max?: number
}

/** What plugin.json of `tool_search` declares. */
export interface ToolSearch {
  readonly tools: { readonly search: { readonly arguments: SearchArguments; readonly approval: 'never' } }
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
