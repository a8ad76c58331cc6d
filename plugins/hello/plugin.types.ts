/** The arguments of the tool `greet`. */
export interface GreetArguments {
  /** Who is greeted; default: world. */
  name?: string
}

/** What plugin.json of `hello` declares. */
export interface Hello {
  readonly tools: { readonly greet: { readonly arguments: GreetArguments; readonly approval: 'never' } }
  readonly promptBlocks: never
  readonly statusSegments: never
  readonly panels: never
  readonly commands: { readonly hello: 'greet' }
  readonly providers: Record<never, never>
  readonly wallets: never
  readonly allowances: never
  readonly searchBackends: never
  readonly skills: never
  readonly events: false
}
