/** What plugin.json of `rehearsal` declares. */
export interface Rehearsal {
  readonly tools: Record<never, never>
  readonly promptBlocks: never
  readonly statusSegments: never
  readonly panels: never
  readonly commands: Record<never, never>
  readonly providers: { readonly rehearsal: { readonly dialect: false; readonly start: true } }
  readonly wallets: never
  readonly allowances: never
  readonly searchBackends: never
  readonly skills: never
  readonly events: false
}
