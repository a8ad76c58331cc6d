import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { AmberError } from '../base/errors.ts'
import { didYouMean } from '../base/nearest.ts'
import { EXIT } from '../headless/exit-code.ts'
import { OUTPUT_FORMS, type OutputForm } from '../headless/writer.ts'
import type { CliContext, GlobalOptions, Start } from './context.ts'
import { declareDoctor, declareNew, declarePlugin } from './declare-plugins.ts'
import { declareProvider } from './declare-provider.ts'
import { declareSession } from './declare-session.ts'
import type { DevOptions } from './dev.ts'
import { reportError } from './report-error.ts'

/** What the command line is run with; the options of any run come from the command line itself. */
export type ProgramContext = Omit<CliContext, 'global'>

/** As commander hands them over: an option that may be repeated is absent when it was not given. */
type GivenOptions = Omit<GlobalOptions, 'plugin' | 'without'> &
  Partial<Pick<GlobalOptions, 'plugin' | 'without'>>

/** Parses the command line and runs what it says. Never rejects: gives the exit code (interfaces 2). */
export async function runProgram(argv: readonly string[], context: ProgramContext): Promise<number> {
  let code: number = EXIT.done
  const program = new Command('amber')
  const start: Start = async (run) => {
    code = await run({ ...context, global: { plugin: [], without: [], ...program.opts<GivenOptions>() } })
  }
  describeProgram(program, context)
  declareUi(program, start)
  declareRun(program, start)
  declareCommand(program, start)
  declareSession(program, start)
  declareNew(program, start)
  declareDev(program, start)
  declarePlugin(program, start)
  declareProvider(program, start)
  declareConfig(program, start)
  declareTrust(program, start)
  declareDoctor(program, start)
  declareCompletion(program, start)
  try {
    await program.parseAsync([...argv], { from: 'user' })
    return code
  } catch (thrown) {
    if (thrown instanceof CommanderError) return usage(context, thrown, argv)
    return reportError(context.io, thrown)
  }
}

/** Help and version are no mistakes; the rest is wrong usage, told in two lines. */
function usage(context: ProgramContext, thrown: CommanderError, argv: readonly string[]): number {
  if (thrown.exitCode === 0) return EXIT.done
  if (thrown.code === 'commander.help') return EXIT.usage
  const [what = '', suggestion = ''] = thrown.message.replace(/^error: /, '').split('\n')
  const near = suggestion.replace(/^\(|\)$/g, '')
  const subcommand = argv.find((word) => !word.startsWith('-'))
  const help = `See amber ${subcommand === undefined ? '' : `${subcommand} `}--help.`
  return reportError(context.io, new AmberError('usage', what, near === '' ? help : `${near} ${help}`))
}

function describeProgram(program: Command, { io, installation }: ProgramContext): void {
  program
    .description(
      'A terminal agent in which everything is a plugin. Without a command it opens a conversation.',
    )
    .version(installation.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help, for amber or after a command for that command')
    .addHelpCommand(helpCommand())
    .usage('[options] [command]')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.out.write(text),
      writeErr: (text) => io.err.write(text),
      outputError: () => {},
      getOutHelpWidth: () => 100,
      getErrHelpWidth: () => 100,
    })
    .configureHelp({ showGlobalOptions: true })
  for (const option of globalOptions()) program.addOption(option)
}

function helpCommand(): Command {
  return new Command('help')
    .argument('[command]')
    .description('print help for a command')
    .helpOption(false)
    .helpGroup('Settings:')
}

const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value]

function globalOptions(): readonly Option[] {
  const repeated = (flags: string, text: string) => new Option(flags, text).argParser(collect)
  return [
    new Option('--provider <name>', 'the provider to ask'),
    new Option('-m, --model <name>', 'the model to ask; without it the provider’s default'),
    new Option('--api-base <url>', 'where the provider’s API is, instead of what it says itself'),
    new Option('--mode <mode>', 'what the model may do: look, change with questions, change without').choices(
      ['read', 'write', 'yolo'],
    ),
    new Option('-y, --yes', 'answer yes to every question'),
    new Option('-w, --workspace <dir>', 'the folder to work in, instead of this one'),
    repeated('--plugin <dir>', 'load this plugin folder too; may be repeated'),
    repeated('--without <id>', 'leave this plugin out; may be repeated'),
    new Option('--no-plugins', 'load no plugins but those of --plugin'),
    new Option('-c, --continue', 'go on with the last session of this workspace').conflicts('resume'),
    new Option('-r, --resume <id>', 'go on with this session, by its id or the beginning of it'),
    new Option('--no-session', 'write no session'),
    new Option('--retry-partial', 'when an answer breaks off, ask again although part of it was shown'),
    new Option('--dev', 'watch plugin folders and swap on save'),
    new Option('--plain', 'a conversation line by line, for screen readers and simple terminals'),
  ]
}

/** Without a command: the conversation. A word that is no command lands here. */
function declareUi(program: Command, start: Start): void {
  program
    .argument('[word...]')
    .configureHelp({ ...program.configureHelp(), visibleArguments: () => [] })
    .action((words: readonly string[]) => {
      const [word] = words
      if (word !== undefined) throw unknownCommand(program, word)
      return start(async (context) => (await import('./converse.ts')).run(context))
    })
}

function unknownCommand(program: Command, word: string): AmberError {
  const names = program.commands.map((command) => command.name())
  const near = didYouMean(word, names)
  // A word that is nearly a command was meant as one.
  const hint = near === '' ? `To ask the model, write: amber run "${word} …"` : `${near} See amber --help.`
  return new AmberError('usage', `unknown command '${word}'`, hint)
}

function declareRun(program: Command, start: Start): void {
  program
    .command('run')
    .helpGroup('Ask:')
    .summary('ask once, headless, and print the answer')
    .description(
      'Runs one turn without a screen. The prompt comes from the arguments, from standard input, or from both; ' +
        'then the input is appended as context. Write - after the prompt to wait for a slow input to its end.',
    )
    .argument('[prompt...]', 'what to ask')
    .addOption(
      new Option('-o, --output <form>', 'how the answer is written').choices(OUTPUT_FORMS).default('text'),
    )
    .option('--max-turns <n>', 'requests to the model, at most (100)', positiveInteger)
    .option('--timeout <seconds>', 'how long the run may take', positiveNumber)
    .action(
      (
        prompt: readonly string[],
        options: { readonly output: OutputForm; readonly maxTurns?: number; readonly timeout?: number },
      ) => start(async (context) => (await import('./run.ts')).run({ ...options, prompt }, context)),
    )
}

function positiveInteger(text: string): number {
  const value = Number(text)
  if (Number.isSafeInteger(value) && value > 0) return value
  throw new InvalidArgumentError('It must be a whole number from 1.')
}

function positiveNumber(text: string): number {
  const value = Number(text)
  if (Number.isFinite(value) && value > 0 && value < 2_000_000) return value
  throw new InvalidArgumentError('It must be a number of seconds above 0.')
}

function declareCommand(program: Command, start: Start): void {
  program
    .command('command')
    .helpGroup('Ask:')
    .summary('run a slash command, headless')
    .description('Runs a slash command without a screen: amber command hello greet amber')
    .argument('<root>', 'the command, without its slash')
    .argument('[words...]', 'its path and argument')
    .allowUnknownOption()
    .action((root: string, words: readonly string[]) =>
      start(async (context) => (await import('./command.ts')).run({ words: [root, ...words] }, context)),
    )
}

function declareDev(program: Command, start: Start): void {
  program
    .command('dev')
    .helpGroup('Plugins:')
    .summary('watch plugin folders and swap on save')
    .description(
      'Runs amber with these plugins, swaps them on save, and serves an inspector on the loopback. DIR is a plugin’s ' +
        'folder or the folder that plugins are in; without one, this folder or the plugins of the workspace.',
    )
    .argument('[dir...]', 'folders to watch')
    .option('--port <n>', 'where the inspector listens; 0 takes a free port', portNumber, 0)
    .option('--json', 'print one JSON object a line')
    .option('--tui', 'in the screen, beside a conversation that uses the plugins')
    .action((folders: readonly string[], options: Omit<DevOptions, 'folders'>) =>
      start(async (context) => (await import('./dev.ts')).run({ folders, ...options }, context)),
    )
}

function portNumber(text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw new InvalidArgumentError('It must be a number from 0 to 65535.')
}

function declareConfig(program: Command, start: Start): void {
  const config = program
    .command('config')
    .helpCommand(false)
    .helpGroup('Settings:')
    .summary('read and change settings')
    .description('Reads and changes config.json.')
  config
    .command('get')
    .description('print one setting, or all that are set')
    .argument('[key]', 'for example model or approval.timeoutSeconds')
    .option('--json', 'print JSON')
    .action((key: string | undefined, options: { readonly json?: boolean }) =>
      start(async (context) =>
        (await import('./config.ts')).run(
          { action: 'get', ...(key === undefined ? {} : { key }), ...options },
          context,
        ),
      ),
    )
  config
    .command('set')
    .description('set one setting; null takes it out')
    .argument('<key>', 'for example model or approval.timeoutSeconds')
    .argument('<value>', 'text, number, true or false')
    .action((key: string, value: string) =>
      start(async (context) => (await import('./config.ts')).run({ action: 'set', key, value }, context)),
    )
}

function declareCompletion(program: Command, start: Start): void {
  program
    .command('completion')
    .helpGroup('Settings:')
    .summary('print a completion script for your shell')
    .description(
      'Prints a completion script: amber completion bash > ~/.local/share/bash-completion/completions/amber',
    )
    .argument('<shell>', 'bash, zsh or fish')
    .action((shell: string) =>
      start(async ({ io }) => (await import('./completion.ts')).run(shell, { io, program })),
    )
}

function declareTrust(program: Command, start: Start): void {
  const trust = program
    .command('trust')
    .helpCommand(false)
    .helpGroup('Settings:')
    .summary('say which workspaces bring their own plugins')
    .description(
      'Plugins, skills and AGENTS.md of a workspace are used once you trust it. Trust covers plugins as they are now: changed code asks again.',
    )
  trust
    .command('list')
    .description('list the trusted folders')
    .option('--json', 'print JSON')
    .action((options: { readonly json?: boolean }) =>
      start(async (context) => (await import('./trust.ts')).run({ action: 'list', ...options }, context)),
    )
  for (const action of ['add', 'remove'] as const) {
    trust
      .command(action)
      .description(action === 'add' ? 'trust a folder and what is in it now' : 'trust a folder no more')
      .argument('[dir]', 'the folder; without it the workspace')
      .action((folder: string | undefined) =>
        start(async (context) =>
          (await import('./trust.ts')).run({ action, ...(folder === undefined ? {} : { folder }) }, context),
        ),
      )
  }
}
