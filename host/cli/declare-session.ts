import type { Command } from 'commander'
import type { Start } from './context.ts'
import type { SessionOptions } from './session.ts'

interface Json {
  readonly json?: boolean
}

/** `amber session …`. */
export function declareSession(program: Command, start: Start): void {
  const run = (options: SessionOptions) =>
    start(async (context) => (await import('./session.ts')).run(options, context))
  const session = program
    .command('session')
    .helpCommand(false)
    .helpGroup('Ask:')
    .summary('list, show, export, fork, undo and delete stored conversations')
    .description(
      'Conversations of this workspace. An ID may be cut short as long as it is clear; go on with one: amber --resume ID',
    )
  session
    .command('list')
    .description('list the conversations, the newest first')
    .option('--json', 'print JSON')
    .action((options: Json) => run({ action: 'list', ...options }))
  const onOne = (action: 'show' | 'export' | 'fork' | 'undo' | 'delete', description: string) =>
    session
      .command(action)
      .description(description)
      .argument('<id>', 'the conversation, or the beginning of its id')
      .option('--json', 'print JSON')
      .action((id: string, options: Json) => run({ action, id, ...options }))
  onOne('show', 'show what was said')
  onOne('export', 'print the whole conversation as Markdown, or with --json as JSON')
  onOne('fork', 'copy a conversation under a new id, and print it')
  onOne('undo', 'take its newest turn back, after showing it: what it wrote into files, and what was said')
  onOne('delete', 'delete a conversation')
}
