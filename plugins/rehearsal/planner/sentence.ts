/** A word or a quoted text of a step. */
export interface Token {
  /** Without the quotes. */
  readonly text: string
  readonly quoted: boolean
  readonly start: number
  readonly end: number
}

const QUOTED = /"([^"]*)"|“([^”]*)”|`([^`]*)`|(?<![\w'])'([^']*)'(?!\w)/g

/** The text with every quoted part blotted out, same length: what is quoted is never an instruction. */
export function maskQuotes(text: string): string {
  return text.replace(QUOTED, (quoted) => '\u0001'.repeat(quoted.length))
}

/** Words and quoted texts, in order. */
export function tokenise(text: string): readonly Token[] {
  const tokens: Token[] = []
  const masked = maskQuotes(text)
  for (const found of masked.matchAll(/\u0001+|[^\s\u0001]+/g)) {
    const start = found.index
    const end = start + found[0].length
    if (found[0].startsWith('\u0001')) tokens.push(...quotedTokens(text.slice(start, end), start))
    else tokens.push({ text: found[0], quoted: false, start, end })
  }
  return tokens
}

function quotedTokens(text: string, offset: number): readonly Token[] {
  return [...text.matchAll(QUOTED)].map((found) => ({
    text: found.slice(1).find((group) => group !== undefined) ?? '',
    quoted: true,
    start: offset + found.index,
    end: offset + found.index + found[0].length,
  }))
}

const POLITE =
  /^(?:please|now|first|next|finally|lastly|also|then|and|just|ok|okay|hey|hi|hello|so|after that|afterwards|(?:can|could|would|will) you|(?:i|we) (?:want|need|would like)(?: you)? to|i'd like(?: you)? to|let's|let us|try to|go (?:and|ahead and)|help me(?: to)?|you (?:should|must|may))(?=[\s,:.!]|$)[\s,:.!]*/i

/** The step without the courtesies before its verb. */
export function withoutCourtesy(step: string): string {
  let rest = step.trim().replace(/[\s,]+please[.!?]*$/i, '')
  for (
    let found = POLITE.exec(rest);
    found !== null && found[0].length < rest.length;
    found = POLITE.exec(rest)
  ) {
    rest = rest.slice(found[0].length)
  }
  return rest
}

/** A word as it is compared: lower case, no punctuation around it. */
export function plainWord(word: string): string {
  return word
    .toLowerCase()
    .replace(/^[^\p{L}\p{N}_]+|[^\p{L}\p{N}_]+$/gu, '')
    .replace(/'s$/, '')
}

/** The stem of an English word, roughly: reads, reading and read are one. */
export function stem(word: string): string {
  const plain = plainWord(word)
  if (plain.length <= 4) return plain.length === 4 ? plain.replace(/(?<!s)s$/, '') : plain
  return plain
    .replace(/(?:ies)$/, 'y')
    .replace(/(?:ing|ed|es|(?<!s)s)$/, '')
    .replace(/([bdgklmnprt])\1$/, '$1')
    .replace(/e$/, '')
}

/** Whether a word looks like a path: it has a slash or a file's ending, or begins with a dot. */
export function isPathLike(word: string): boolean {
  return (
    /[/\\]/.test(word) || /^\.[\w.]/.test(word) || /^[\w@-][\w.@-]*\.[A-Za-z][A-Za-z0-9]{0,7}$/.test(word)
  )
}
