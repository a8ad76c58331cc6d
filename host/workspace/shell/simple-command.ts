import { lstat } from 'node:fs/promises'
import type { Assignment, Command, Word } from 'unbash'
import { isFree, type Judged } from './effect.ts'
import { hasPattern, judgeGit } from './git.ts'
import type { GitPart, JudgedPart } from './judged-part.ts'
import { DESTRUCTIVE_COMMANDS, KNOWN_COMMANDS, type KnownCommand } from './known-commands.ts'
import { ownFileProblem, type PathContext, type PathProblem, pathProblem } from './operand-paths.ts'
import { pathWords, telltale } from './options.ts'
import { scopeOf } from './scope.ts'
import { isPrintable, type PlainWord, plainWord } from './words.ts'

/** A simple command as it stands in its line. */
export interface SimpleCommand {
  readonly command: Command
  /** As written, without its redirects. */
  readonly text: string
  /** A substitution stands in one of its words. */
  readonly substitutes: boolean
  readonly context: PathContext
}

/** Variables that may be set for one command without making it do more. */
const HARMLESS_VARIABLES = /^(LC_[A-Z]+|LANG|LANGUAGE|NO_COLOR|FORCE_COLOR|CLICOLOR|TZ|COLUMNS|LINES)$/

/** A word with where it ends in the line. */
interface Placed extends PlainWord {
  readonly end: number
}

/** Judges a simple command by its name, options and operands (SAFE-3). Its redirects are judged elsewhere. */
export async function judgeSimple(simple: SimpleCommand): Promise<JudgedPart> {
  const { command, substitutes } = simple
  const args = command.args.flatMap((one) => (one.type === 'Word' ? [one] : []))
  const all = [...(command.name ? [command.name] : []), ...args]
  const plain = all.map(placed)
  const variables = assignmentProblem(command)
  let outside = await outsideProblem(simple, plain)
  const part = (judged: Judged, git?: GitPart): JudgedPart => ({
    effect: judged.effect,
    what: judged.why,
    scope: scopeOf({
      text: simple.text,
      effect: outside === undefined ? judged.effect : 'outside',
      words: plain.map((word) => word?.text),
      isIntricate:
        substitutes ||
        variables !== undefined ||
        plain.includes(undefined) ||
        command.args.length !== args.length,
    }),
    ...(git === undefined ? {} : { git }),
  })
  if (command.name === undefined) {
    return part(
      outside ?? { effect: variables === undefined ? 'read-only' : 'unknown', why: variables ?? '' },
    )
  }
  const name = plain[0]?.text
  if (name === undefined || plain[0]?.isPattern)
    return part(outside ?? { effect: 'unknown', why: 'a command that a variable names' })
  if (DESTRUCTIVE_COMMANDS.has(name)) return part({ effect: 'destructive', why: name })
  const judged = await judgeNamed(simple, { name, args, words: plain.slice(1) })
  if (name === 'git' && !isFree(judged.effect)) outside = await wordsOutside(simple, plain)
  const worst = outside !== undefined && judged.effect !== 'destructive' ? outside : judged
  if (!isFree(worst.effect)) return part(worst)
  if (substitutes) return part({ effect: 'unknown', why: `${name} with a substitution` })
  if (variables !== undefined) return part({ effect: 'unknown', why: variables })
  return part(judged, judged.git)
}

interface Named {
  readonly name: string
  readonly args: readonly Word[]
  readonly words: readonly (Placed | undefined)[]
}

type Answer = Judged & { readonly git?: GitPart }

async function judgeNamed(simple: SimpleCommand, named: Named): Promise<Answer> {
  const { name } = named
  if (name === 'git') return judgeGitCommand(simple, named)
  const known = KNOWN_COMMANDS.get(name)
  if (known === undefined) return { effect: 'unknown', why: nameOf(named) }
  const words = plainWords(named.words)
  if (words === undefined) {
    const harmless = known.prints && named.args.every(isPrintable) && known.accepts === undefined
    return harmless
      ? { effect: 'read-only', why: name }
      : { effect: 'unknown', why: `${name} with variables` }
  }
  if (words.some((word) => word.isPattern) && known.paths !== 'none' && mayBecomeOption(words))
    return { effect: 'unknown', why: `${name} with a pattern that may meet an option` }
  const problem = await wordsProblem(known, words, simple.context)
  if (problem)
    return problem.effect === 'outside' ? { effect: 'outside', why: `${name} ${problem.why}` } : problem
  const telling = telltale(
    known,
    words.map((word) => word.text),
  )
  if (telling !== undefined) return { effect: 'unknown', why: `${name} ${telling}` }
  if (known.filesOnly && !(await areFiles(words, simple.context)))
    return { effect: 'unknown', why: `${name} of a folder or link` }
  return { effect: known.effect, why: name }
}

/** A name of a file that begins with a dash, met by a bare pattern, would be taken for an option. */
function mayBecomeOption(words: readonly Placed[]): boolean {
  return words.some(
    (word, at) =>
      word.isPattern && /^[*?[]/.test(word.text) && !words.slice(0, at).some(({ text }) => text === '--'),
  )
}

async function judgeGitCommand(simple: SimpleCommand, named: Named): Promise<Answer> {
  const words = plainWords(named.words)
  if (words === undefined) return { effect: 'unknown', why: `${nameOf(named)} with variables` }
  const judged = judgeGit(words.map((word) => word.text))
  if ('what' in judged) return { effect: judged.effect, why: judged.what }
  const { effect, at, safely } = judged
  const context = within(simple.context, judged.folder)
  const sub = words[at]?.text ?? ''
  const known: KnownCommand = { effect: 'read-only', ...(hasPattern(sub) ? { paths: 'pattern' } : {}) }
  const problem =
    (await wordsProblem({ effect: 'read-only' }, words.slice(0, at), simple.context)) ??
    (await wordsProblem(known, words.slice(at + 1), context))
  if (problem)
    return problem.effect === 'outside' ? { effect: 'outside', why: `git ${sub} ${problem.why}` } : problem
  const position = words[at]?.end ?? 0
  const git = { folders: context.folders, position, safely, stores: effect === 'write' }
  return { effect, why: `git ${sub}`, git }
}

function within(context: PathContext, folder: string | undefined): PathContext {
  if (folder === undefined) return context
  const folders = folder.startsWith('/') ? [folder] : context.folders.map((one) => `${one}/${folder}`)
  return { ...context, folders }
}

async function wordsProblem(
  known: KnownCommand,
  words: readonly Placed[],
  context: PathContext,
): Promise<PathProblem | undefined> {
  let worst: PathProblem | undefined
  for (const word of pathWords(known, words)) {
    const problem =
      (await pathProblem(word, context)) ??
      (known.effect === 'write' ? await ownFileProblem(word.text, context) : undefined)
    if (problem?.effect === 'outside') return problem
    worst ??= problem
  }
  return worst
}

async function areFiles(words: readonly Placed[], context: PathContext): Promise<boolean> {
  const operands = words.filter(({ text }) => !text.startsWith('-'))
  for (const { text, isPattern } of operands.slice(0, -1)) {
    if (isPattern) return false
    for (const folder of context.folders) {
      const status = await lstat(text.startsWith('/') ? text : `${folder}/${text}`).catch(() => undefined)
      if (status !== undefined && !status.isFile()) return false
    }
  }
  return true
}

/** A path among the words of any command, known or not, that leads out of the workspace. */
async function outsideProblem(
  simple: SimpleCommand,
  words: readonly (Placed | undefined)[],
): Promise<Judged | undefined> {
  const name = words[0]?.text
  if (name !== undefined && (KNOWN_COMMANDS.has(name) || name === 'git')) return undefined
  return wordsOutside(simple, words)
}

async function wordsOutside(
  { context, text }: SimpleCommand,
  words: readonly (Placed | undefined)[],
): Promise<Judged | undefined> {
  for (const word of words) {
    if (word === undefined) continue
    const problem = await pathProblem(word, context)
    if (problem?.effect === 'outside')
      return { effect: 'outside', why: `${firstWords(text)} → ${problem.why}` }
  }
  return undefined
}

/** Why the variables that a command sets make it more than it says; undefined when they do not. */
function assignmentProblem(command: Command): string | undefined {
  const assignments = command.prefix.filter((one): one is Assignment => one.type === 'Assignment')
  const bad = assignments.find(
    ({ name, value, index }) =>
      command.name === undefined ||
      !HARMLESS_VARIABLES.test(name) ||
      index !== undefined ||
      value.type !== 'Word' ||
      plainWord(value) === undefined,
  )
  return bad && `setting ${bad.name}`
}

function placed(word: Word): Placed | undefined {
  const plain = plainWord(word)
  return plain && { ...plain, end: word.end }
}

function plainWords(words: readonly (Placed | undefined)[]): readonly Placed[] | undefined {
  const found = words.filter((word) => word !== undefined)
  return found.length === words.length ? found : undefined
}

function nameOf({ name, words }: Pick<Named, 'name' | 'words'>): string {
  const sub = words[0]?.text
  return sub !== undefined && /^[a-z][\w:-]*$/.test(sub) ? `${name} ${sub}` : name
}

function firstWords(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > 60 ? `${line.slice(0, 60)}…` : line
}
