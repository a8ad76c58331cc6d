import { type Command, Option } from 'commander'
import { AmberError } from '../base/errors.ts'
import type { Start } from './context.ts'
import type { ProviderOptions } from './provider.ts'

interface Json {
  readonly json?: boolean
}

/** `amber provider …`. */
export function declareProvider(program: Command, start: Start): void {
  const run = (options: ProviderOptions) =>
    start(async (context) => (await import('./provider.ts')).run(options, context))
  const provider = program
    .command('provider')
    .helpCommand(false)
    .helpGroup('Settings:')
    .summary('see, test, choose and add providers of models')
    .description(
      'Providers of models: what plugins bring, and what you added. Keys come from the environment or from ' +
        '`amber provider add`, which asks for them without showing them; they never stand on a command line.',
    )
  const list = (action: 'list' | 'wallet', description: string) =>
    provider
      .command(action)
      .description(description)
      .option('--json', 'print JSON')
      .action((options: Json) => run({ action, ...options }))
  list('list', 'list the providers; * marks the one in use')
  declareAsking(provider, run)
  declareChanging(provider, run)
  list('wallet', 'show the balance or the quota of the provider in use, where it tells')
}

type Run = (options: ProviderOptions) => Promise<void>

function named(name: string | undefined) {
  return name === undefined ? {} : { name }
}

function declareAsking(provider: Command, run: Run): void {
  provider
    .command('test')
    .description('ask one tiny question; say how long it took, or what is wrong and how to mend it')
    .argument('[name]', 'the provider; without one the one in use')
    .option('--json', 'print JSON')
    .action((name: string | undefined, options: Json) => run({ action: 'test', ...named(name), ...options }))
  provider
    .command('models')
    .description('list the models that a provider has, with their context windows')
    .argument('[name]', 'the provider; without one the one in use')
    .option('--refresh', 'ask anew, even if a list of the last hour is kept')
    .option('--json', 'print JSON')
    .action((name: string | undefined, options: Json & { readonly refresh?: boolean }) =>
      run({ action: 'models', ...named(name), ...options }),
    )
}

function declareChanging(provider: Command, run: Run): void {
  provider
    .command('use')
    .description('use this provider, and with --model this model, whenever none is named')
    .argument('<name>', 'the provider')
    .action((name: string) => run({ action: 'use', name }))
  provider
    .command('add')
    .description(
      'Stores a provider of your own, or a key or another address for one that a plugin brings. The key is asked for ' +
        'on a terminal, without showing it, or read from standard input: pass show acme | amber provider add acme',
    )
    .summary('store a key, or an endpoint of your own (--api-base, --model)')
    .argument('<name>', 'what it is to be called')
    .option('--key-env <variable>', 'the environment variable that holds the key; no key is stored', variable)
    .option('--flavor <protocol>', 'the protocol that it speaks (default: openai)')
    .option('--key-stdin', 'wait for the key on standard input to its end')
    .option('--no-key', 'it needs no key')
    .addOption(new Option('--api-key <key>').hideHelp().argParser(refuseKey))
    .action(
      (
        name: string,
        options: {
          readonly keyEnv?: string
          readonly flavor?: string
          readonly keyStdin?: boolean
          readonly key?: boolean
        },
      ) => run({ action: 'add', name, ...options }),
    )
  provider
    .command('remove')
    .description('take out what you added of a provider, with its key')
    .argument('<name>', 'the provider')
    .action((name: string) => run({ action: 'remove', name }))
}

function variable(text: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(text)) return text
  // What was given may be the key itself: commander quotes it, so say it without.
  throw new AmberError(
    'usage',
    '--key-env takes the name of an environment variable, such as ACME_API_KEY, not a key.',
    'To store a key leave the option out: it is asked for.',
  )
}

function refuseKey(): never {
  throw new AmberError(
    'usage',
    'A key on a command line is kept by the shell and seen by every process of this machine; it was not stored.',
    'Take this one for known to others, and give a new one when asked: amber provider add NAME',
  )
}
