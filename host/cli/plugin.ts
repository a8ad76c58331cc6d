import type { CliContext } from './context.ts'
import type { BuildOptions } from './plugin/build.ts'

/** A subcommand of `amber plugin` with what it was given. */
export type PluginOptions =
  | { readonly action: 'list'; readonly json?: boolean }
  | { readonly action: 'info' | 'reload'; readonly id: string; readonly json?: boolean }
  | { readonly action: 'on' | 'off'; readonly id: string; readonly json?: boolean }
  | { readonly action: 'validate'; readonly folders: readonly string[]; readonly json?: boolean }
  | {
      readonly action: 'types'
      readonly folder: string
      readonly check?: boolean
      readonly json?: boolean
    }
  | { readonly action: 'test'; readonly folder: string }
  | ({ readonly action: 'build' } & BuildOptions)
  | { readonly action: 'install'; readonly spec: string; readonly json?: boolean }
  | { readonly action: 'update'; readonly id: string; readonly from?: string; readonly json?: boolean }
  | { readonly action: 'uninstall'; readonly id: string; readonly state?: boolean; readonly json?: boolean }

/** Runs one subcommand of `amber plugin` (interfaces 2). Gives the exit code. */
export async function run(options: PluginOptions, context: CliContext): Promise<number> {
  switch (options.action) {
    case 'list':
      return (await import('./plugin/list.ts')).list(options, context)
    case 'info':
      return (await import('./plugin/info.ts')).info(options, context)
    case 'on':
    case 'off':
      return (await import('./plugin/toggle.ts')).toggle(options, context)
    case 'reload':
      return (await import('./plugin/reload.ts')).reload(options, context)
    case 'validate':
      return (await import('./plugin/validate.ts')).validate(options, context)
    case 'types':
      return (await import('./plugin/types.ts')).types(options, context)
    case 'test':
      return (await import('./plugin/test.ts')).test(options, context)
    case 'build':
      return (await import('./plugin/build.ts')).build(options, context)
    case 'install':
      return (await import('./plugin/install.ts')).install(options, context)
    case 'update':
      return (await import('./plugin/update.ts')).update(options, context)
    case 'uninstall':
      return (await import('./plugin/uninstall.ts')).uninstall(options, context)
  }
}
