import { AmberError } from '../../base/errors.ts'
import { didYouMean } from '../../base/nearest.ts'
import type { Kind } from '../../registry/contribution.ts'
import { folderOf } from './template.ts'

/** Reads a list of kinds: `tool,promptBlock` or `tool,prompt-block`. Throws a usage error that names the nearest. */
export function readKinds(text: string, all: readonly Kind[]): readonly Kind[] {
  const fold = (word: string) => word.replace(/[-_\s]/g, '').toLowerCase()
  const words = text.split(',').map((word) => word.trim())
  const kinds = words.map((word) => {
    const kind = all.find((one) => fold(one) === fold(word) || `${fold(one)}s` === fold(word))
    if (kind !== undefined) return kind
    const names = all.map(folderOf)
    const hint = [didYouMean(word, names), `There are: ${names.join(', ')}.`].filter(Boolean).join(' ')
    throw new AmberError('usage', `"${word}" is no kind of contribution.`, hint)
  })
  return all.filter((kind) => kinds.includes(kind))
}
