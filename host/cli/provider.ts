import type { CliContext } from './context.ts'
import type { AddOptions } from './provider/add.ts'

/** `amber provider …`, by subcommand. */
export type ProviderOptions =
  | { readonly action: 'list' | 'wallet'; readonly json?: boolean }
  | { readonly action: 'test'; readonly name?: string; readonly json?: boolean }
  | { readonly action: 'models'; readonly name?: string; readonly json?: boolean; readonly refresh?: boolean }
  | { readonly action: 'use' | 'remove'; readonly name: string }
  | ({ readonly action: 'add' } & AddOptions)

/** Runs one subcommand, and loads no other. Gives the exit code. */
export async function run(options: ProviderOptions, context: CliContext): Promise<number> {
  switch (options.action) {
    case 'list':
      return (await import('./provider/list.ts')).list(options, context)
    case 'test':
      return (await import('./provider/test.ts')).test(options, context)
    case 'models':
      return (await import('./provider/models.ts')).models(options, context)
    case 'use':
      return (await import('./provider/use.ts')).use(options, context)
    case 'add':
      return (await import('./provider/add.ts')).add(options, context)
    case 'remove':
      return (await import('./provider/remove.ts')).remove(options, context)
    case 'wallet':
      return (await import('./provider/wallet.ts')).wallet(options, context)
  }
}
