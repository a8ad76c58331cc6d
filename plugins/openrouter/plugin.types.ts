/** What plugin.json of `openrouter` declares. */
export interface Openrouter {
  readonly tools: Record<never, never>
  readonly promptBlocks: never
  readonly statusSegments: never
  readonly panels: never
  readonly commands: Record<never, never>
  readonly providers: Record<never, never>
  readonly wallets: 'openrouter'
  readonly allowances: never
  readonly searchBackends: never
  readonly skills: never
  readonly events: false
}
