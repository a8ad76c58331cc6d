import type { CommandNode } from '../../manifests/command-node.ts'
import { didYouMean } from '../base/nearest.ts'
import { numberText } from './page.ts'

/**
 * Says what is wrong with an argument by its node's `choices`, `type` and `range`, or undefined. An empty argument is
 * the handler's to judge, and what lives (`choicesFrom`) is too: it may know more than the list of this moment.
 */
export function checkArgument(
  path: readonly string[],
  node: CommandNode,
  argument: string,
): string | undefined {
  if (argument === '') return undefined
  const line = `/${path.join(' ')}`
  if (node.choices !== undefined && !node.choices.includes(argument)) {
    const hint = didYouMean(argument, node.choices)
    return `${line} takes one of ${node.choices.join(', ')}, not ${JSON.stringify(argument)}.${hint && ` ${hint}`}`
  }
  if (node.type !== undefined && !isNumber(node, argument)) {
    return `${line} takes ${numberText(node)}, not ${JSON.stringify(argument)}.`
  }
  return undefined
}

function isNumber(node: CommandNode, argument: string): boolean {
  if (!/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(argument)) return false
  const value = Number(argument)
  if (node.type === 'int' && !Number.isSafeInteger(value)) return false
  return node.range === undefined || (value >= node.range[0] && value <= node.range[1])
}
