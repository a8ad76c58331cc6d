import type { CommandNode } from '../../manifests/command-node.ts'
import type { CommandArgument } from '../../sdk/index.ts'
import { AmberError, messageOf } from '../base/errors.ts'
import { didYouMean } from '../base/nearest.ts'
import type { Snapshot } from '../registry/snapshot.ts'
import { checkArgument } from './check-argument.ts'
import { listing, manualPage } from './page.ts'
import { namesOf, type Resolution, resolveLine } from './resolve.ts'
import { commandTree } from './tree.ts'
import { argumentWords } from './words.ts'

/** What a command came to; `ok` false is exit code 1 headless. */
export interface CommandResult {
  readonly ok: boolean
  readonly text: string
}

/** A handler of amber's own. A throw of an AmberError is shown as its message and hint. */
export type CoreHandler = (
  argument: CommandArgument,
) => string | CommandResult | Promise<string | CommandResult>

/** What dispatching needs. */
export interface CommandDeps {
  /** Amber's own tree, from completions.json. */
  readonly core: Readonly<Record<string, CommandNode>>
  /** Amber's own handlers by dotted path with the root first: `set.policy.mode`. */
  readonly handler: (path: string) => CoreHandler | undefined
  readonly snapshot: () => Snapshot
}

/** Runs slash commands. */
export interface CommandDispatcher {
  /** Runs a line, with or without its slash. Never rejects. */
  run(line: string, options?: { readonly signal?: AbortSignal }): Promise<CommandResult>
}

type Found = Extract<Resolution, { kind: 'found' }>

/** Makes a dispatcher: tree and handler are looked up in the live snapshot at the moment of dispatch (CMD-5). */
export function createDispatcher(deps: CommandDeps): CommandDispatcher {
  return {
    async run(line, options) {
      const snapshot = deps.snapshot()
      const resolution = resolveLine(commandTree(deps.core, snapshot), line)
      if (resolution.kind !== 'found') return unresolved(resolution, deps, snapshot)
      const wrong = checkArgument(resolution.path, resolution.node, resolution.argument)
      if (wrong !== undefined) return failure(wrong)
      const argument: CommandArgument = {
        text: resolution.argument,
        words: argumentWords(resolution.argument),
        signal: options?.signal ?? new AbortController().signal,
      }
      const result =
        resolution.plugin === undefined
          ? await runCore(deps, resolution, argument)
          : await runPlugin(snapshot, resolution, argument)
      return result ?? inert(resolution)
    },
  }
}

const failure = (text: string): CommandResult => ({ ok: false, text })

function unresolved(
  resolution: Exclude<Resolution, Found>,
  deps: CommandDeps,
  snapshot: Snapshot,
): CommandResult {
  if (resolution.kind === 'empty') {
    const roots = Object.fromEntries(
      [...commandTree(deps.core, snapshot)].map(([name, { node }]) => [name, node]),
    )
    return failure(`No command was given. There are:\n${listing(roots)}`)
  }
  if (resolution.kind === 'ambiguous') {
    const where = ['', ...resolution.path].join(' ').trim()
    const line = `/${where === '' ? '' : `${where} `}${resolution.word}`
    return failure(`${line} could be ${resolution.candidates.join(' or ')}. Write more of it.`)
  }
  const { word, nearest } = resolution
  const gone = snapshot.unavailable.get(`command:${word}`)
  if (gone !== undefined) {
    return failure(
      `/${word} belongs to plugin ${gone.plugin}, which ${gone.why}.\nTo mend that: ${gone.remedy}`,
    )
  }
  const hint =
    nearest.length > 0 ? `Did you mean ${nearest.map((name) => `/${name}`).join(' or ')}?` : 'See /help.'
  return failure(`There is no command /${word}. ${hint}`)
}

async function runCore(
  deps: CommandDeps,
  { path }: Found,
  argument: CommandArgument,
): Promise<CommandResult | undefined> {
  const handler = deps.handler(path.join('.'))
  if (handler === undefined) return undefined
  try {
    const answer = await handler(argument)
    return typeof answer === 'string' ? { ok: true, text: answer } : answer
  } catch (thrown) {
    if (thrown instanceof AmberError) return failure(`${thrown.message}\n${thrown.hint}`)
    return failure(`/${path.join(' ')} failed: ${messageOf(thrown)}`)
  }
}

/** Undefined when nothing is bound there. */
async function runPlugin(
  snapshot: Snapshot,
  { path, plugin }: Found,
  argument: CommandArgument,
): Promise<CommandResult | undefined> {
  const [root = '', ...rest] = path
  const line = `/${path.join(' ')} of plugin ${plugin}`
  try {
    const outcome = await snapshot.commands.get(root)?.run(rest.join('.'), argument)
    if (outcome === undefined) return undefined
    if (outcome.kind === 'declined') return failure(`${line} is not available here: ${outcome.why}`)
    if (outcome.kind === 'fault') return failure(`${line} failed: ${outcome.fault.diagnostic.message}`)
    return outcome.value === undefined ? undefined : { ok: true, text: outcome.value }
  } catch (thrown) {
    return failure(`${line} failed: ${messageOf(thrown)}`)
  }
}

/** A node that nothing is bound to shows its page, and says so (CMD-3). */
function inert({ path, node, argument, plugin }: Found): CommandResult {
  const page = manualPage(path, node)
  const line = `/${path.join(' ')}`
  if (node.children === undefined) {
    const why =
      plugin === undefined
        ? `${line} belongs to an open conversation: start amber and write it there.`
        : `Nothing is bound to ${line}.`
    return failure(`${page}\n\n${why}`)
  }
  if (argument === '') {
    return failure(`${page}\n\nNothing is bound to ${line} itself: write one of these after it.`)
  }
  const word = argument.split(/\s/, 1)[0] ?? ''
  const hint = didYouMean(word, namesOf(node.children))
  return failure(`${line} has no ${word}.${hint && ` ${hint}`}\n\n${page}`)
}
