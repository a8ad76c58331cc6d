/** A word of a line and where it stands. */
export interface Word {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** A line without its slash and the blanks around it. */
export function bareLine(line: string): string {
  return line.trim().replace(/^\//, '').trimStart()
}

/** The words of a line by blanks alone: path words are never quoted. */
export function plainWords(line: string): readonly Word[] {
  return [...line.matchAll(/\S+/g)].map((match) => ({
    text: match[0],
    start: match.index,
    end: match.index + match[0].length,
  }))
}

/** An argument's words: blanks part them, single or double quotes hold them together (CMD-2). */
export function argumentWords(text: string): readonly string[] {
  const words: string[] = []
  for (const [whole, double, single] of text.matchAll(/"([^"]*)"|'([^']*)'|\S+/g)) {
    words.push(double ?? single ?? whole)
  }
  return words
}
