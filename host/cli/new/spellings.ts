import { typeName } from '../../../manifests/type-names.ts'

/** `weather_now` as people read it: `Weather now`. */
export function titleOf(id: string): string {
  const words = wordsOf(id).join(' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function wordsOf(id: string): readonly string[] {
  return id.split('_').filter((word) => word !== '')
}

/** Makes what puts one plugin's name in place of another's, in every spelling: `a_b`, `a-b`, `AB`, `A_B`, `A b`. */
export function renamer(from: string, to: string): (text: string) => string {
  const spellings: readonly (readonly [string, string])[] = [
    [from, to],
    [wordsOf(from).join('-'), wordsOf(to).join('-')],
    [typeName(from), typeName(to)],
    [from.toUpperCase(), to.toUpperCase()],
    [titleOf(from), titleOf(to)],
  ]
  return (text) => spellings.reduce((result, [old, now]) => result.replaceAll(old, () => now), text)
}
