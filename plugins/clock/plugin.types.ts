/** What plugin.json of `clock` declares. */
export interface Clock {
  readonly tools: Record<never, never>
  readonly promptBlocks: never
  readonly statusSegments: 'clock'
  readonly panels: never
  readonly commands: Record<never, never>
  readonly providers: Record<never, never>
  readonly wallets: never
  readonly allowances: never
  readonly searchBackends: never
  readonly skills: never
  readonly events: false
}
