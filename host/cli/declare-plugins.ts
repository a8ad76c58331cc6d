import type { Command } from 'commander'
import type { Start } from './context.ts'

interface Json {
  readonly json?: boolean
}

/** `amber new plugin`. */
export function declareNew(program: Command, start: Start): void {
  program
    .command('new')
    .helpCommand(false)
    .helpGroup('Plugins:')
    .summary('make a new plugin')
    .description('Makes new things; a plugin is the only one there is.')
    .command('plugin')
    .description(
      'Writes a plugin that works as it stands: manifest, entry, test, README and tsconfig, with types. What is not\n' +
        'said is asked for on a terminal.',
    )
    .argument('[id]', 'its id: lower-case letters, digits and _')
    .option('--kind <kinds>', 'what it contributes, for example tool,command (default: tool)')
    .option('--dir <dir>', 'its own folder (default: ./ID)')
    .option('--js', 'JavaScript instead of TypeScript')
    .action(
      (
        id: string | undefined,
        options: { readonly kind?: string; readonly dir?: string; readonly js?: boolean },
      ) =>
        start(async (context) =>
          (await import('./new.ts')).run({ ...(id === undefined ? {} : { id }), ...options }, context),
        ),
    )
}

/** `amber plugin …`. */
export function declarePlugin(program: Command, start: Start): void {
  const plugin = program
    .command('plugin')
    .helpCommand(false)
    .helpGroup('Plugins:')
    .summary('see, switch, check and test plugins')
    .description(
      'Everything that amber can do is a plugin: these are the ones there are, and those you write.',
    )
  plugin
    .command('list')
    .description('list every plugin and its state')
    .option('--json', 'print JSON')
    .action((options: Json) =>
      start(async (context) => (await import('./plugin.ts')).run({ action: 'list', ...options }, context)),
    )
  declareByName(plugin, start)
  declareForAuthors(plugin, start)
}

const BY_NAME = {
  info: 'say what a plugin contributes, and what is wrong with it',
  on: 'switch a plugin on, at once and for good',
  off: 'switch a plugin off, at once and for good',
  reload: 'build and load a plugin anew',
} as const

function declareByName(plugin: Command, start: Start): void {
  const declare = (action: keyof typeof BY_NAME) =>
    plugin
      .command(action)
      .description(BY_NAME[action])
      .argument('<id>', 'the plugin')
      .option('--json', 'print JSON')
      .action((id: string, options: Json) =>
        start(async (context) => (await import('./plugin.ts')).run({ action, id, ...options }, context)),
      )
  declare('info')
  declare('on')
  declare('off')
  declare('reload')
}

function declareForAuthors(plugin: Command, start: Start): void {
  plugin
    .command('validate')
    .description('check manifests, and show every mistake over its line')
    .argument('[dir...]', 'plugin folders; without one, this folder or the plugins of the workspace')
    .option('--json', 'print JSON')
    .action((folders: readonly string[], options: Json) =>
      start(async (context) =>
        (await import('./plugin.ts')).run({ action: 'validate', folders, ...options }, context),
      ),
    )
  plugin
    .command('types')
    .description('write plugin.types.ts from the manifest, and renew the link to amber')
    .argument('[dir]', 'the plugin’s folder', '.')
    .option('--check', 'type-check the plugin, too')
    .option('--json', 'print JSON')
    .action((folder: string, options: Json & { readonly check?: boolean }) =>
      start(async (context) =>
        (await import('./plugin.ts')).run({ action: 'types', folder, ...options }, context),
      ),
    )
  plugin
    .command('test')
    .description('run the plugin’s tests')
    .argument('[dir]', 'the plugin’s folder', '.')
    .action((folder: string) =>
      start(async (context) => (await import('./plugin.ts')).run({ action: 'test', folder }, context)),
    )
}

/** `amber doctor`. */
export function declareDoctor(program: Command, start: Start): void {
  program
    .command('doctor')
    .helpGroup('Settings:')
    .summary('check installation, settings, plugins and provider')
    .description('Looks at everything that amber needs, and says what to do about what is wrong.')
    .option('--json', 'print JSON')
    .action((options: Json) => start(async (context) => (await import('./doctor.ts')).run(options, context)))
}
