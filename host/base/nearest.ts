import { nearest } from '../../manifests/nearest.ts'

/** The names that a mistyped or shortened word most likely meant, best first, `max` at most. */
export function nearestNames(word: string, names: Iterable<string>, max = 3): readonly string[] {
  const left = new Set(names)
  const found: string[] = []
  const take = (name: string) => {
    left.delete(name)
    found.push(name)
  }
  for (const name of [...left]) if (word.length > 1 && name.startsWith(word) && found.length < max) take(name)
  while (found.length < max) {
    const next = nearest(word, left)
    if (next === undefined) break
    take(next)
  }
  return found
}

/** `Did you mean X or Y?`, or the empty string. */
export function didYouMean(word: string, names: Iterable<string>): string {
  const found = nearestNames(word, names)
  return found.length === 0 ? '' : `Did you mean ${found.join(' or ')}?`
}
