/** One node of the command tree, as `completions.json` and a manifest's `commands` write it (bundled-plugins 8). */
export interface CommandNode {
  /** One line, for drawer and help. */
  readonly help: string
  /** The manual page. */
  readonly man?: string
  readonly aliases?: readonly string[]
  readonly children?: Readonly<Record<string, CommandNode>>
  /** The legal values of the argument. */
  readonly choices?: readonly string[]
  /** What lives and supplies the choices: `providers`, `models`, `plugins`, … */
  readonly choicesFrom?: string
  readonly type?: 'int' | 'float'
  /** Lowest and highest legal number. */
  readonly range?: readonly [number, number]
}

/**
 * The dotted path of a node and of every node below it, relative to the node itself, whose own is `''` (contract
 * CMD-1): each may have a handler.
 */
export function commandPaths(node: CommandNode): string[] {
  return ['', ...pathsBelow(node, '')]
}

function pathsBelow(node: CommandNode, prefix: string): string[] {
  return Object.entries(node.children ?? {}).flatMap(([word, child]) => {
    const path = prefix === '' ? word : `${prefix}.${word}`
    return [path, ...pathsBelow(child, path)]
  })
}
