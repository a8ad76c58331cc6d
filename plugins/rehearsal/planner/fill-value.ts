import { recordOf } from 'amber-agent/sdk'
import { type Parameter, readParameters } from './schema.ts'
import type { WordsLeft } from './words-left.ts'

/** A list or an object, filled from the quoted texts, or from the words that are left. */
export function fillStructure(parameter: Parameter, words: WordsLeft): unknown {
  if (parameter.type === 'object') return buildItem(parameter.schema, takeTexts(words), 0)
  const items = recordOf(parameter.schema.items) ?? {}
  const texts = takeTexts(words)
  if (texts.length === 0) return undefined
  const isEdit = readParameters(items).some(({ name }) => name === 'old')
  if (items.properties === undefined) return texts
  // A replacement needs two texts: what was, and what is to be. With one alone all of it is new.
  if (isEdit) return [buildItem(items, texts.length === 1 ? ['', ...texts] : texts, 0)]
  return texts.map((text, at) => buildItem(items, [text], at))
}

/** Quoted texts, else what is left, cut at commas. */
function takeTexts(words: WordsLeft): readonly string[] {
  const quoted = words.quoted()
  if (quoted.length > 0) return quoted.map((token) => words.take(token))
  const text = words.text()
  if (text === '') return []
  for (const token of words.tokens) words.take(token)
  return text.split(/\s*,\s*(?:and\s+)?/)
}

function buildItem(
  schema: Readonly<Record<string, unknown>>,
  texts: readonly string[],
  at: number,
): Readonly<Record<string, unknown>> {
  const item: Record<string, unknown> = {}
  const left = [...texts]
  for (const parameter of readParameters(schema)) {
    if (!parameter.required) continue
    if (/^id$/i.test(parameter.name))
      item[parameter.name] = parameter.type === 'number' ? at + 1 : String(at + 1)
    else if (parameter.type === 'string' && parameter.choices.length === 0)
      item[parameter.name] = left.shift() ?? ''
    else item[parameter.name] = neutralValue(parameter)
  }
  return item
}

/** What stands for a needed value that nobody gave; undefined for a text, which cannot be made up. */
export function neutralValue(parameter: Parameter): unknown {
  const { schema, type, choices } = parameter
  if ('default' in schema) return schema.default
  if (choices.length > 0) return choices[0]
  switch (type) {
    case 'number':
      return typeof schema.minimum === 'number' ? schema.minimum : 1
    case 'boolean':
      return false
    case 'object':
      return buildItem(schema, [], 0)
    default:
      return undefined
  }
}
