import { termsOf } from './tokens.ts'

/** Words that say nothing of what is looked for. */
const EMPTY_WORDS = new Set(
  'a an the of is are was were be been in on to for and or how where what which who why that this when with without by from it its as at so does do did has have had can i we you there'.split(
    ' ',
  ),
)

/** The terms that a question asks for; without the empty words, unless it has no others. */
export function questionTerms(question: string): ReadonlySet<number> {
  const words = question.split(/\s+/)
  const telling = words.filter((word) => !EMPTY_WORDS.has(word.toLowerCase().replace(/[?.,!]+$/, '')))
  const terms = termsOf(telling.join(' '))
  return new Set(terms.length > 0 ? terms : termsOf(question))
}
