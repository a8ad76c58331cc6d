import type { ParsedScript, SyntaxNode } from 'unbash'

/** A command as the grammar reads it, or why it cannot be believed. */
export type ParsedShell =
  | { readonly ok: true; readonly script: ParsedScript; readonly children: ChildrenOf }
  | { readonly ok: false; readonly why: string }

/** The direct children of a node, the scripts of substitutions included. */
export type ChildrenOf = (node: SyntaxNode) => readonly SyntaxNode[]

/** Nobody reads more than this before allowing it; it asks. Characters. */
const MOST_CHARACTERS = 20_000
const MOST_NODES = 20_000

/** Control characters but tab and line feed: shells disagree on them, and a screen hides them. */
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f]/

/** Which shell will read the command: a plain `sh` takes some of bash's words for others. */
export type ShellDialect = 'bash' | 'sh'

/** What bash alone understands. */
const BASH_NODES = new Set<SyntaxNode['type']>([
  ...(['ProcessSubstitution', 'AnsiCQuoted', 'LocaleString', 'HereString', 'TestCommand'] as const),
  ...(['ArithmeticCommand', 'ArithmeticFor', 'BraceExpansion', 'ExtendedGlob', 'Coproc', 'Select'] as const),
  ...(['ArrayValue', 'FileDescriptorVariable'] as const),
])
const BASH_OPERATORS = new Set(['&>', '&>>', '>&', '<&', '<<<'])

/** Parses a command. What has an error anywhere, in a nested substitution too, is not parsed (SAFE-3). */
export async function parseShell(command: string, dialect: ShellDialect): Promise<ParsedShell> {
  if (command.length > MOST_CHARACTERS) return refuse('it is very long')
  if (CONTROLS.test(command)) return refuse('it holds control characters')
  const { parse, forEachChild } = await import('unbash')
  const children: ChildrenOf = (node) => {
    const found: SyntaxNode[] = []
    forEachChild(node, (child) => found.push(child))
    return found
  }
  try {
    const script = parse(command)
    const problem = findProblem(script, { children, dialect })
    return problem === undefined ? { ok: true, script, children } : refuse(problem)
  } catch (thrown) {
    return refuse(thrown instanceof Error ? thrown.message : 'the grammar failed')
  }
}

function refuse(why: string): ParsedShell {
  return { ok: false, why }
}

/** The first error of the tree; `undefined` when there is none. */
function findProblem(
  script: ParsedScript,
  { children, dialect }: { readonly children: ChildrenOf; readonly dialect: ShellDialect },
): string | undefined {
  const open: SyntaxNode[] = [script]
  let count = 0
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (++count > MOST_NODES) return 'it has very many parts'
    if (node.type === 'Script' && 'errors' in node && node.errors && node.errors.length > 0)
      return node.errors[0]?.message ?? 'a syntax error'
    if (node.type === 'HereDoc' && node.closing === undefined) return 'a here-document without its end'
    if (dialect === 'sh' && isBashAlone(node)) return 'it is written for bash'
    open.push(...children(node))
  }
  return undefined
}

function isBashAlone(node: SyntaxNode): boolean {
  if (BASH_NODES.has(node.type)) return true
  if (node.type === 'Pipeline') return node.operators.includes('|&')
  if (node.type === 'Function') return true
  return (
    node.type === 'Redirect' &&
    BASH_OPERATORS.has(node.operator) &&
    !/^(\d+|-)$/.test(node.target?.value ?? '')
  )
}
