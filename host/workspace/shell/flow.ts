import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import type { Command, Redirection, SyntaxNode, TestExpression } from 'unbash'
import { confine } from '../confinement.ts'
import type { JudgedPart } from './judged-part.ts'
import { type PathContext, pathProblem } from './operand-paths.ts'
import type { ChildrenOf } from './parse.ts'
import { judgeRedirect } from './redirect.ts'
import { exactScope } from './scope.ts'
import { judgeSimple } from './simple-command.ts'
import { isPrintable, plainWord } from './words.ts'

/** What walking through a command needs. */
export interface FlowDeps {
  /** The command as written; positions of the tree count in it. */
  readonly source: string
  /** The workspace's real path. */
  readonly root: string
  readonly children: ChildrenOf
  /** Takes each part as it is judged. */
  readonly onPart: (part: JudgedPart) => void
}

/** The folders in which the shell may find itself, as real paths. */
type Folders = readonly string[]

/** Where the shell may be when a part succeeded, and when it failed: what `&&` and `||` go by. */
interface Outcome {
  readonly success: Folders
  readonly failure: Folders
}

const MOST_FOLDERS = 8

/** `-v` and arithmetic comparisons run what stands in brackets of their operands. */
const FILE_TESTS = /^-[abcdefghkprstuwxGLNOS]$/
const TEXT_TESTS = /^(-n|-z|==?|!=|<|>|=~|-nt|-ot|-ef)$/

/** Walks through a tree in the order in which a shell would, and judges every part where it would run (SAFE-3). */
export async function walkFlow(deps: FlowDeps, node: SyntaxNode, folders: Folders): Promise<Outcome> {
  const same: Outcome = { success: folders, failure: folders }
  const walk = (next: SyntaxNode, from: Folders) => walkFlow(deps, next, from)
  switch (node.type) {
    case 'Script':
    case 'CompoundList':
      return sequence(deps, node.commands, folders)
    case 'Statement': {
      const outcome = await walk(node.command, folders)
      // What runs in the background changes nothing for what follows.
      return node.background ? same : outcome
    }
    case 'AndOr':
      return walkAndOr(deps, node.commands, { operators: node.operators, folders })
    case 'Pipeline': {
      const outcomes: Outcome[] = []
      for (const command of node.commands) outcomes.push(await walk(command, folders))
      if (node.commands.length > 1) return same
      const all = merge(deps, ...outcomes.flatMap((one) => [one.success, one.failure]))
      return { success: all, failure: all }
    }
    case 'Command':
      return walkCommand(deps, node, folders)
    case 'Redirected':
      await walkRedirects(deps, node.redirects, folders)
      return walk(node.command, folders)
    case 'BraceGroup':
      return walk(node.body, folders)
    case 'Subshell':
      await walk(node.body, folders)
      return same
    case 'TestCommand':
      await judgeOwnWords(deps, node, folders)
      await judgeTest(deps, node.expression, folders)
      return same
    case 'If':
    case 'While':
    case 'For':
    case 'Case':
      return walkBranches(deps, node, folders)
    default:
      tell(deps, node, 'unknown', nameOfNode(node))
      return walkBranches(deps, node, folders)
  }
}

function nameOfNode(node: SyntaxNode): string {
  switch (node.type) {
    case 'Function':
      return `defining ${node.name.text}`
    case 'ArithmeticCommand':
    case 'ArithmeticFor':
      return 'arithmetic'
    case 'Coproc':
      return 'coproc'
    default:
      return node.type.toLowerCase()
  }
}

async function sequence(deps: FlowDeps, nodes: readonly SyntaxNode[], folders: Folders): Promise<Outcome> {
  let now = folders
  let last: Outcome = { success: folders, failure: folders }
  for (const node of nodes) {
    last = await walkFlow(deps, node, now)
    now = merge(deps, last.success, last.failure)
  }
  return last
}

async function walkAndOr(
  deps: FlowDeps,
  commands: readonly SyntaxNode[],
  how: { readonly operators: readonly string[]; readonly folders: Folders },
): Promise<Outcome> {
  let now: Outcome = { success: how.folders, failure: how.folders }
  for (const [at, command] of commands.entries()) {
    if (at === 0) {
      now = await walkFlow(deps, command, how.folders)
      continue
    }
    const isAnd = how.operators[at - 1] === '&&'
    const next = await walkFlow(deps, command, isAnd ? now.success : now.failure)
    now = isAnd
      ? { success: next.success, failure: merge(deps, now.failure, next.failure) }
      : { success: merge(deps, now.success, next.success), failure: next.failure }
  }
  return now
}

/** Conditions and loops: every list in them may run or not, and may run again where the last one left the shell. */
async function walkBranches(deps: FlowDeps, node: SyntaxNode, folders: Folders): Promise<Outcome> {
  await judgeOwnWords(deps, node, folders)
  if (node.type === 'For' && !/^[a-z][a-z0-9_]*$/.test(node.name.value))
    tell(deps, node.name, 'unknown', `setting ${node.name.text}`)
  let now = folders
  for (let round = 0; round < 3; round++) {
    let after = now
    for (const list of listsOf(deps, node)) {
      const outcome = await walkFlow(deps, list, after)
      after = merge(deps, after, outcome.success, outcome.failure)
    }
    if (after.length === now.length) return { success: after, failure: after }
    now = after
  }
  tell(deps, node, 'unknown', 'changing folders in a loop')
  return { success: now, failure: now }
}

/** The lists of commands right below a node. */
function listsOf(deps: FlowDeps, node: SyntaxNode): readonly SyntaxNode[] {
  return deps.children(node).flatMap((child) => {
    if (child.type === 'CompoundList' || isCommandNode(child)) return [child]
    return child.type === 'Elif' || child.type === 'CaseItem' ? listsOf(deps, child) : []
  })
}

function isCommandNode(node: SyntaxNode): boolean {
  return /^(Command|Redirected|If|For|ArithmeticFor|Select|While|Subshell|BraceGroup|Case|TestCommand|ArithmeticCommand)$/.test(
    node.type,
  )
}

async function walkCommand(deps: FlowDeps, command: Command, folders: Folders): Promise<Outcome> {
  const substitutes = await walkSubstitutions(deps, command, folders)
  for (const redirect of command.redirects) await judgeOneRedirect(deps, redirect, folders)
  const name = command.name && plainWord(command.name)?.text
  if (name === 'cd' && !substitutes) return changeFolder(deps, command, folders)
  const part = await judgeSimple({
    command,
    substitutes,
    text: textOf(command),
    context: { root: deps.root, folders },
  })
  deps.onPart(part)
  return { success: folders, failure: folders }
}

/** The command as written, without its redirects: what its scope is made of. */
function textOf(command: Command): string {
  const words = [...command.prefix, ...(command.name ? [command.name] : []), ...command.suffix]
  return words
    .filter((one) => one.type === 'Word' || one.type === 'Assignment')
    .map((one) => one.text)
    .join(' ')
}

/** Where `cd` leads. One that a link could lead elsewhere than its name says is unknown. */
async function changeFolder(deps: FlowDeps, command: Command, folders: Folders): Promise<Outcome> {
  const failure = folders
  const [target, ...more] = command.args
  const plain = target?.type === 'Word' ? plainWord(target) : undefined
  const isSimple = command.prefix.every((one) => one.type !== 'Assignment') && more.length === 0
  if (target === undefined || plain?.text.startsWith('~')) {
    tell(deps, command, 'outside', 'cd to the home folder')
    return { success: [], failure }
  }
  if (plain === undefined || plain.isPattern || !isSimple || /^-|^$/.test(plain.text)) {
    tell(deps, command, 'unknown', 'cd with variables or options')
    return { success: [], failure }
  }
  const success: string[] = []
  let isSure = true
  for (const folder of folders) {
    const place = plain.text.startsWith('/') ? plain.text : `${folder}/${plain.text}`
    const found = await confine(deps.root, place)
    if (!found.ok) {
      tell(deps, command, found.rule === 'outside' ? 'outside' : 'unknown', `cd ${plain.text}`)
      return { success: [], failure }
    }
    if (found.path !== tidy(place)) {
      tell(deps, command, 'unknown', `cd ${plain.text}, which is a link`)
      return { success: [], failure }
    }
    success.push(found.path)
    isSure &&= found.kind === 'directory' && (await mayEnter(found.path))
  }
  // Nothing that is free takes away a folder that is there, so changing into it does not fail.
  return { success: merge(deps, success), failure: isSure ? [] : failure }
}

function mayEnter(folder: string): Promise<boolean> {
  return access(folder, constants.X_OK).then(
    () => true,
    () => false,
  )
}

/** A path by its names alone, as the shell's own `cd` takes it. */
function tidy(path: string): string {
  const names: string[] = []
  for (const name of path.split('/')) {
    if (name === '..') names.pop()
    else if (name !== '' && name !== '.') names.push(name)
  }
  return `/${names.join('/')}`
}

async function walkRedirects(
  deps: FlowDeps,
  redirects: readonly Redirection[],
  folders: Folders,
): Promise<void> {
  for (const redirect of redirects) {
    if (await walkSubstitutions(deps, redirect, folders)) tell(deps, redirect, 'unknown', 'a substitution')
    await judgeOneRedirect(deps, redirect, folders)
  }
}

async function judgeOneRedirect(deps: FlowDeps, redirect: Redirection, folders: Folders): Promise<void> {
  const text = deps.source.slice(redirect.pos, redirect.end)
  const context: PathContext = { root: deps.root, folders }
  const part = await judgeRedirect(redirect, text, context)
  if (part) deps.onPart(part)
  if (redirect.type === 'HereDoc' && redirect.body.parts?.some((one) => !isHarmlessText(one)))
    tell(deps, redirect, 'unknown', 'a here-document with variables')
}

function isHarmlessText(part: { readonly type: string }): boolean {
  return part.type === 'Literal' || part.type === 'SimpleExpansion'
}

/** Judges what stands in substitutions below a node, its own words and redirects; whether there were any. */
async function walkSubstitutions(deps: FlowDeps, node: SyntaxNode, folders: Folders): Promise<boolean> {
  let found = false
  for (const child of deps.children(node)) {
    if (
      child.type === 'CommandExpansion' ||
      child.type === 'ProcessSubstitution' ||
      child.type === 'ArithmeticCommandExpansion'
    )
      found = true
    if (child.type === 'Script') {
      found = true
      await walkFlow({ ...deps, source: child.source ?? deps.source }, child, folders)
    } else if (await walkSubstitutions(deps, child, folders)) found = true
  }
  return found
}

/** The words that belong to a compound command itself: what a `case` compares, what a `for` goes through. */
async function judgeOwnWords(deps: FlowDeps, node: SyntaxNode, folders: Folders): Promise<void> {
  for (const child of deps.children(node)) {
    if (child.type === 'CompoundList' || isCommandNode(child) || child.type === 'Script') continue
    if (child.type === 'CaseItem' || child.type === 'Elif') {
      await judgeOwnWords(deps, child, folders)
      continue
    }
    if (await walkSubstitutions(deps, child, folders)) tell(deps, child, 'unknown', 'a substitution')
    if (child.type === 'Word' && !isPrintable(child)) tell(deps, child, 'unknown', child.text)
    if (node.type === 'For' && child.type === 'Word' && plainWord(child)?.isPattern)
      await judgePath(deps, child, folders)
  }
}

async function judgePath(
  deps: FlowDeps,
  word: Extract<SyntaxNode, { type: 'Word' }>,
  folders: Folders,
): Promise<void> {
  const plain = plainWord(word)
  const problem = plain && (await pathProblem(plain, { root: deps.root, folders }))
  if (problem) tell(deps, word, problem.effect, problem.why)
}

async function judgeTest(deps: FlowDeps, test: TestExpression, folders: Folders): Promise<void> {
  if (test.type === 'TestLogical') {
    for (const operand of test.operands) await judgeTest(deps, operand, folders)
  } else if (test.type === 'TestNot') await judgeTest(deps, test.operand, folders)
  else if (test.type === 'TestGroup') await judgeTest(deps, test.expression, folders)
  else {
    if (await walkSubstitutions(deps, test, folders)) tell(deps, test, 'unknown', 'a substitution')
    const words = test.type === 'TestUnary' ? [test.operand] : [test.left, test.right]
    const isKnown = FILE_TESTS.test(test.operator) || TEXT_TESTS.test(test.operator)
    if (!isKnown || !words.every(isPrintable)) tell(deps, test, 'unknown', `[[ ${test.operator} ]]`)
    if (FILE_TESTS.test(test.operator)) for (const word of words) await judgePath(deps, word, folders)
  }
}

function tell(deps: FlowDeps, node: SyntaxNode, effect: JudgedPart['effect'], what: string): void {
  deps.onPart({ effect, what, scope: exactScope(deps.source.slice(node.pos, node.end)) })
}

/** All folders of several sets; so many that nobody can follow are told and cut. */
function merge(deps: FlowDeps, ...sets: readonly Folders[]): Folders {
  const all = [...new Set(sets.flat())]
  if (all.length <= MOST_FOLDERS) return all
  deps.onPart({ effect: 'unknown', what: 'changing folders often', scope: exactScope(deps.source) })
  return all.slice(0, MOST_FOLDERS)
}
