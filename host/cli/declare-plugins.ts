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
      'Writes a plugin that works as it stands: manifest, entry, test, README and tsconfig, with types. What is not ' +
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
    .summary('see, switch, install, check and test plugins')
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
  declareInstalled(plugin, start)
  declareForAuthors(plugin, start)
  declareBuild(plugin, start)
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

function declareBuild(plugin: Command, start: Start): void {
  plugin
    .command('build')
    .description(
      'Bundles the entry to JavaScript and puts it with the manifest and the data files into a folder of its own, which ' +
        'is a plugin that needs no build: to install it, or to publish it.',
    )
    .summary('make the plugin ready to publish')
    .argument('[dir]', 'the plugin’s folder', '.')
    .option('--out <dir>', 'where the result goes (default: dist in the plugin’s folder)')
    .option('--pack', 'make a .tgz of it, too')
    .option('--json', 'print JSON')
    .action((folder: string, options: Json & { readonly out?: string; readonly pack?: boolean }) =>
      start(async (context) =>
        (await import('./plugin.ts')).run({ action: 'build', folder, ...options }, context),
      ),
    )
}

/** What comes from elsewhere. */
function declareInstalled(plugin: Command, start: Start): void {
  plugin
    .command('install')
    .summary('install a plugin from a folder, a .tgz, npm or git')
    .description(
      'Installs a plugin for you: a folder, a .tgz, npm:NAME, npm:NAME@VERSION, git:URL or git:URL#TAG. It shows what ' +
        'the plugin adds, and asks; no install script runs. Code of a plugin has your own rights.',
    )
    .argument('<spec>', 'where it comes from')
    .option('--json', 'print JSON')
    .action((spec: string, options: Json) =>
      start(async (context) =>
        (await import('./plugin.ts')).run({ action: 'install', spec, ...options }, context),
      ),
    )
  plugin
    .command('update')
    .summary('install the newest version of a plugin')
    .description(
      'Fetches a plugin anew from where it came from, shows what it adds, and asks. A version that does not load leaves ' +
        'the old one in place.',
    )
    .argument('<id>', 'the plugin')
    .option('--from <spec>', 'take it from somewhere else from now on')
    .option('--json', 'print JSON')
    .action((id: string, options: Json & { readonly from?: string }) =>
      start(async (context) =>
        (await import('./plugin.ts')).run({ action: 'update', id, ...options }, context),
      ),
    )
  plugin
    .command('uninstall')
    .summary('delete an installed plugin')
    .description(
      'Asks, and deletes an installed plugin. Whether it was on or off is remembered, unless --state.',
    )
    .argument('<id>', 'the plugin')
    .option('--state', 'forget that, too')
    .option('--json', 'print JSON')
    .action((id: string, options: Json & { readonly state?: boolean }) =>
      start(async (context) =>
        (await import('./plugin.ts')).run({ action: 'uninstall', id, ...options }, context),
      ),
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
