import { AmberError } from '../../base/errors.ts'
import { didYouMean } from '../../base/nearest.ts'

/** Reads a list of kinds: `tool,promptBlock` or `tool,prompt-block`. Throws a usage error that names the nearest. */
export function readKinds(text: string, all: readonly string[]): readonly string[] {
  const fold = (word: string) => word.replace(/[-_\s]/g, '').toLowerCase()
  const words = text.split(',').map((word) => word.trim())
  const kinds = words.map((word) => {
    const kind = all.find((one) => fold(one) === fold(word) || `${fold(one)}s` === fold(word))
    if (kind !== undefined) return kind
    const hint = [didYouMean(word, all), `There are: ${all.join(', ')}.`].filter(Boolean).join(' ')
    throw new AmberError('usage', `"${word}" is no kind of contribution.`, hint)
  })
  return all.filter((kind) => kinds.includes(kind))
}
