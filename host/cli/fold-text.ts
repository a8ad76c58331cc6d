import { textWidth } from '../../manifests/display-width.ts'

/**
 * Breaks lines that are wider than a terminal at their blanks, so that the terminal does not break them inside words.
 * A word that is wider by itself is left to it. `columns` undefined or 0: unknown, nothing is broken.
 */
export function foldText(text: string, columns: number | undefined): string {
  if (!columns) return text
  return text
    .split('\n')
    .map((line) => (textWidth(line) > columns ? foldLine(line, columns) : line))
    .join('\n')
}

function foldLine(line: string, columns: number): string {
  const [indent = ''] = /^ */.exec(line) ?? []
  const lines: string[] = []
  let current = indent
  for (const word of line.slice(indent.length).split(' ')) {
    const longer = current === indent ? current + word : `${current} ${word}`
    if (current === indent || textWidth(longer) <= columns) current = longer
    else {
      lines.push(current)
      current = indent + word
    }
  }
  return [...lines, current].join('\n')
}

/** The columns of a terminal's stream; undefined when it says none. */
export function columnsOf(stream: object | undefined): number | undefined {
  return stream !== undefined && 'columns' in stream && typeof stream.columns === 'number'
    ? stream.columns
    : undefined
}
