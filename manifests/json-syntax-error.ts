import { neutralise } from './neutralise.ts'

/** Where a text stops being JSON, and what is wrong there, in words. */
export interface SyntaxFault {
  readonly offset: number
  readonly message: string
  readonly hint: string
}

/** Explains what momoa threw at a text: it names token classes, people look for characters. */
export function explainSyntaxError(thrown: unknown, text: string): SyntaxFault {
  const offset = Math.min(offsetOf(thrown), text.length)
  if (offset >= text.length || text.slice(offset).trim() === '') return endOfText(text)
  const found = text.slice(offset, offset + 20).split('\n', 1)[0] ?? ''
  const before = text.slice(0, offset).trimEnd()
  return { offset, ...explain(found, before) }
}

/** Explains a control character that stands raw in a string: a line end, most often. */
export function explainRawControl(offset: number, text: string): SyntaxFault {
  const name = /[\r\n]/.test(text.charAt(offset)) ? 'a line end' : 'a control character'
  return {
    offset,
    message: `${name} within a string`,
    hint: 'close the string with ", or write \\n, \\t or \\u0000',
  }
}

function offsetOf(thrown: unknown): number {
  if (typeof thrown !== 'object' || thrown === null || !('offset' in thrown)) return 0
  return typeof thrown.offset === 'number' && thrown.offset >= 0 ? thrown.offset : 0
}

function endOfText(text: string): SyntaxFault {
  return {
    offset: text.trimEnd().length,
    message: 'the text ends before it is complete',
    hint: 'a closing } or ], or the end of a string or comment, is missing',
  }
}

function explain(found: string, before: string): Omit<SyntaxFault, 'offset'> {
  const shown = neutralise(found[0] ?? '')
  if (found.startsWith('\\')) {
    return {
      message: `unknown escape ${neutralise(found.slice(0, 2))}`,
      hint: 'legal in a string: \\" \\\\ \\/ \\b \\f \\n \\r \\t \\u and four hex digits',
    }
  }
  if (found.startsWith("'")) {
    return { message: "unexpected ' here", hint: 'strings and keys stand in double quotes: "…"' }
  }
  const startsValue = /^["\w{[-]/.test(found)
  if (startsValue && /["\d}\]el]$/.test(before)) {
    return { message: `unexpected ${shown} here`, hint: 'a comma or colon may be missing before it' }
  }
  const word = /^[A-Za-z_$][\w$]*/.exec(found)?.[0]
  if (word !== undefined) {
    return { message: `unexpected word ${word}`, hint: 'keys and texts stand in double quotes: "…"' }
  }
  return { message: `unexpected ${shown} here`, hint: expectation(before.at(-1)) }
}

function expectation(last: string | undefined): string {
  if (last === ':') return 'a value should stand here'
  if (last === '{') return 'a key in double quotes, or }, should stand here'
  if (last === '[') return 'a value, or ], should stand here'
  if (last === ',') return 'something should stand between the commas'
  return 'a comma, or the closing bracket that fits the opening one, should stand here'
}
