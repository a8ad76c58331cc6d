import { recordOf } from 'amber-agent/sdk'
import type { OfferedTool } from '../request.ts'
import { fillStructure, neutralValue } from './fill-value.ts'
import { type Parameter, readParameters } from './schema.ts'
import { isPathLike, plainWord, type Token } from './sentence.ts'
import { createWordsLeft, type WordsLeft } from './words-left.ts'

/** A call's arguments, or the parameters for which the step has no words. */
export type Filled =
  | { readonly kind: 'filled'; readonly arguments: Readonly<Record<string, unknown>> }
  | { readonly kind: 'missing'; readonly names: readonly string[] }

/** Fills a tool's parameters from the words that are left of a step (interfaces 1). */
export function fillArguments(step: string, rest: readonly Token[], tool: OfferedTool): Filled {
  const written = literalObject(step)
  if (written !== undefined) return { kind: 'filled', arguments: written }
  const parameters = readParameters(tool.parameters)
  const words = createWordsLeft(step, rest)
  const filled = new Map<string, unknown>()
  const open = (parameter: Parameter) => !filled.has(parameter.name)
  const put = (parameter: Parameter, value: unknown) => {
    if (value !== undefined) filled.set(parameter.name, value)
  }

  for (const parameter of parameters) put(parameter, namedValue(parameter, words))
  for (const parameter of parameters.filter(open)) put(parameter, recognised(parameter, words))
  const paths = parameters.filter((parameter) => open(parameter) && parameter.isPath)
  for (const parameter of paths) put(parameter, pathValue(parameter, words, parameters))
  const structures = parameters.filter(({ type }) => type === 'array' || type === 'object')
  for (const parameter of structures.filter((one) => open(one) && one.required)) {
    put(parameter, fillStructure(parameter, words))
  }
  for (const parameter of textParameters(parameters, filled)) put(parameter, textValue(parameter, words))
  for (const parameter of parameters.filter((one) => open(one) && one.required)) {
    put(parameter, neutralValue(parameter))
  }

  const missing = parameters.filter((parameter) => parameter.required && open(parameter))
  if (missing.length > 0) return { kind: 'missing', names: missing.map(({ name }) => name) }
  return { kind: 'filled', arguments: Object.fromEntries(filled) }
}

/** `{"city": "Paris"}` in the prompt is the arguments themselves. */
function literalObject(step: string): Record<string, unknown> | undefined {
  const text = /\{.*\}/s.exec(step)?.[0]
  if (text === undefined) return undefined
  try {
    return recordOf(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** `city=Paris`, `city: Paris` or `city Paris`. */
function namedValue(parameter: Parameter, words: WordsLeft): unknown {
  const name = parameter.name.toLowerCase()
  const { tokens } = words
  for (const [at, token] of tokens.entries()) {
    if (token.quoted) continue
    const text = token.text.replace(/^--/, '')
    const [key, ...value] = text.split(/[=:]/)
    if (key?.toLowerCase() !== name) continue
    const inside = text.slice((key?.length ?? 0) + 1)
    if (value.length > 0 && inside !== '')
      return convert(parameter, words.take(token).replace(/^(?:--)?[^=:]*[=:]/, ''))
    const next = tokens[at + 1]
    if (next === undefined) continue
    const converted = convert(parameter, next.quoted ? next.text : next.text.replace(/[.,;!?]+$/, ''))
    if (converted === undefined) continue
    words.take(token)
    words.take(next)
    return converted
  }
  return undefined
}

function convert(parameter: Parameter, text: string): unknown {
  if (parameter.choices.length > 0) {
    return parameter.choices.find((choice) => String(choice).toLowerCase() === text.toLowerCase())
  }
  switch (parameter.type) {
    case 'number':
      return numberIn(text, parameter.integer)
    case 'boolean':
      return /^(?:true|yes|on)$/i.test(text) ? true : /^(?:false|no|off)$/i.test(text) ? false : undefined
    case 'string':
      return text
    default:
      return undefined
  }
}

function numberIn(text: string, integer: boolean): number | undefined {
  if (!/^-?\d+(?:\.\d+)?$/.test(text)) return undefined
  const value = Number(text)
  return integer && !Number.isInteger(value) ? undefined : value
}

/** A value that shows by itself which parameter it is for: a choice, a flag's name, a needed number, a glob. */
function recognised(parameter: Parameter, words: WordsLeft): unknown {
  for (const token of words.tokens) {
    const text = token.quoted ? token.text : plainWord(token.text)
    const isFlag = parameter.type === 'boolean' && !token.quoted && text === parameter.name.toLowerCase()
    const value = isFlag ? true : recognise(parameter, token, text)
    if (value === undefined) continue
    words.take(token)
    return value
  }
  return undefined
}

function recognise(parameter: Parameter, token: Token, text: string): unknown {
  if (parameter.choices.length > 0) return convert(parameter, text)
  if (parameter.type === 'number' && parameter.required)
    return numberIn(token.text.replace(/[.,;!?]+$/, ''), parameter.integer)
  return parameter.isGlob && token.text.includes('*') ? token.text : undefined
}

/** What looks like a path; for a needed one also a lone word (`read Makefile`), for another one a word behind `in`. */
function pathValue(parameter: Parameter, words: WordsLeft, all: readonly Parameter[]): unknown {
  if (parameter.type !== 'string') return undefined
  const [found] = parameter.required ? words.paths() : []
  if (found !== undefined) return words.take(found)
  const { tokens } = words
  const lone = words.text()
  if (parameter.required) {
    const quoted = words.quoted()
    const alone = all.filter((one) => one.required).length === 1
    const [only] = quoted
    if (only !== undefined && (alone || isPathLike(only.text)) && quoted.length === 1) return words.take(only)
    const [word] = tokens.filter((token) => !token.quoted && plainWord(token.text) === plainWord(lone))
    return alone && word !== undefined && lone !== '' && !/\s/.test(lone) ? words.take(word) : undefined
  }
  const at = tokens.findIndex(
    (token) => !token.quoted && /^(?:in|under|inside|within|from)$/i.test(token.text),
  )
  const place = tokens[at + 1]
  const nextIsLast = place !== undefined && (at + 2 === tokens.length || isPathLike(place.text))
  if (at <= 0 || place === undefined || !nextIsLast) return undefined
  words.take(tokens[at] ?? place)
  return words.take(place)
}

/** The needed texts, or, where a tool needs none, its first one. */
function textParameters(
  parameters: readonly Parameter[],
  filled: ReadonlyMap<string, unknown>,
): readonly Parameter[] {
  const texts = parameters.filter(
    ({ name, type, choices }) => type === 'string' && choices.length === 0 && !filled.has(name),
  )
  const needed = texts.filter(({ required, isPath }) => required && !isPath)
  if (needed.length > 0 || filled.size > 0 || parameters.some(({ required }) => required)) return needed
  return texts.slice(0, 1)
}

function textValue(parameter: Parameter, words: WordsLeft): string | undefined {
  const [quoted] = words.quoted()
  if (quoted !== undefined) return words.take(quoted)
  // `stop job 3`: what has a digit is what tells things apart.
  const mark = /(?:^|_)id$/i.test(parameter.name)
    ? words.tokens.find(({ text }) => /\d/.test(text))
    : undefined
  if (mark !== undefined) return words.take(mark)
  const text = words.text()
  if (text === '') return undefined
  for (const token of words.tokens) words.take(token)
  return text
}
