/** What plugin.json of `search_grep` declares. */
export interface SearchGrep {
  readonly tools: Record<never, never>
  readonly promptBlocks: never
  readonly statusSegments: never
  readonly panels: never
  readonly commands: Record<never, never>
  readonly providers: Record<never, never>
  readonly wallets: never
  readonly allowances: never
  readonly searchBackends: 'grep'
  readonly skills: never
  readonly events: false
}
