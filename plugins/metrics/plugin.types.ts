/** What plugin.json of `metrics` declares. */
export interface Metrics {
  readonly tools: Record<never, never>
  readonly promptBlocks: never
  readonly statusSegments: never
  readonly panels: never
  readonly commands: Record<never, never>
  readonly providers: Record<never, never>
  readonly wallets: never
  readonly allowances: never
  readonly searchBackends: never
  readonly skills: never
  readonly events: true
}
