import { isRecord } from '../sdk/index.ts'
import { declaredOf, recordOf, stringsIn } from './declared.ts'
import { errorAt, type Finding, type Path } from './finding.ts'

/** Rules of the command tree that its schema cannot say: for a manifest's commands. */
export function checkCommands(manifest: unknown): Finding[] {
  const roots = declaredOf(manifest, 'commands')
  const siblings = roots.map(({ path, value }) => ({ path, node: value, word: value.root }))
  return [...checkSiblings(siblings), ...roots.flatMap(({ path, value }) => checkNode(value, path))]
}

/** The same for a completions file. */
export function checkCommandTree(tree: unknown): Finding[] {
  return checkChildren(recordOf(tree).commands, ['commands'])
}

function checkChildren(children: unknown, path: Path): Finding[] {
  const nodes = Object.entries(recordOf(children)).flatMap(([word, node]) =>
    isRecord(node) ? [{ word, node, path: [...path, word] }] : [],
  )
  return [...checkSiblings(nodes), ...nodes.flatMap((one) => checkNode(one.node, one.path))]
}

function checkNode(node: Readonly<Record<string, unknown>>, path: Path): Finding[] {
  return [...checkArgument(node, path), ...checkChildren(node.children, [...path, 'children'])]
}

function checkArgument(
  { choices, choicesFrom, type, range }: Readonly<Record<string, unknown>>,
  path: Path,
): Finding[] {
  const findings: Finding[] = []
  const report = (key: string, message: string, hint: string) =>
    findings.push(errorAt('AMB2212', path, { message, hint, key }))
  if (choices !== undefined && choicesFrom !== undefined) {
    report('choicesFrom', '"choices" and "choicesFrom" exclude each other', 'keep one of them')
  }
  if (type !== undefined && (choices !== undefined || choicesFrom !== undefined)) {
    report('type', 'an argument with choices is no number', 'remove "type", or the choices')
  }
  if (range !== undefined && type === undefined) {
    report('range', '"range" without "type" says nothing', 'add "type": "int" or "float"')
  }
  const [low, high]: readonly unknown[] = Array.isArray(range) ? range : []
  if (typeof low === 'number' && typeof high === 'number' && low > high) {
    report('range', `no number lies between ${low} and ${high}`, 'write the lowest number first')
  }
  return findings
}

interface Sibling {
  readonly word: unknown
  readonly node: Readonly<Record<string, unknown>>
  readonly path: Path
}

/** Among siblings each word and alias leads to one of them. Twins among the words themselves are told elsewhere. */
function checkSiblings(siblings: readonly Sibling[]): Finding[] {
  const owner = new Map<string, Sibling>()
  for (const one of siblings)
    if (typeof one.word === 'string' && !owner.has(one.word)) owner.set(one.word, one)
  return siblings.flatMap((one) =>
    stringsIn(one.node.aliases).flatMap((alias, index) => {
      const holder = owner.get(alias)
      owner.set(alias, holder ?? one)
      if (holder === undefined) return []
      const message = `the alias ${JSON.stringify(alias)} already leads to ${JSON.stringify(holder.word)}`
      return [errorAt('AMB2212', [...one.path, 'aliases', index], { message, hint: 'choose another alias' })]
    }),
  )
}
