/** The signs of the screen; each has a twin for terminals without UTF-8. */
export interface Glyphs {
  readonly prompt: string
  readonly folded: string
  readonly unfolded: string
  readonly running: string
  readonly bar: string
  readonly full: string
  readonly empty: string
  readonly more: string
  readonly times: string
  readonly up: string
  readonly down: string
  readonly minus: string
  readonly dot: string
  readonly bad: string
  readonly good: string
  readonly corner: string
  readonly box: {
    readonly topLeft: string
    readonly topRight: string
    readonly bottomLeft: string
    readonly bottomRight: string
    readonly across: string
    readonly side: string
  }
}

/** For UTF-8. */
export const UNICODE: Glyphs = {
  prompt: '❯',
  folded: '▸',
  unfolded: '▾',
  running: '◌',
  bar: '│',
  full: '▓',
  empty: '░',
  more: '…',
  times: '×',
  up: '↑',
  down: '↓',
  minus: '−',
  dot: '·',
  bad: '✖',
  good: '✔',
  corner: '└─',
  box: { topLeft: '┌', topRight: '┐', bottomLeft: '└', bottomRight: '┘', across: '─', side: '│' },
}

const TWINS: Readonly<Record<string, string>> = {
  '─': '-',
  '│': '|',
  '…': '...',
  '·': '-',
  '•': '*',
  '–': '-',
  '−': '-',
  '\u2019': "'",
  '\u2018': "'",
}
const DRAWN = /[\u2500-\u257f…·•–−\u2018\u2019]/g

/** A line of the screen with signs that any terminal has: what libraries draw, and what prose is set with. */
export function toAscii(line: string): string {
  return line.replace(DRAWN, (sign) => TWINS[sign] ?? '+')
}

/** For everything else. */
export const ASCII: Glyphs = {
  prompt: '>',
  folded: '+',
  unfolded: '-',
  running: 'o',
  bar: '|',
  full: '#',
  empty: '.',
  more: '...',
  times: 'x',
  up: '^',
  down: 'v',
  minus: '-',
  dot: '-',
  bad: 'x',
  good: 'ok',
  corner: '`-',
  box: { topLeft: '+', topRight: '+', bottomLeft: '+', bottomRight: '+', across: '-', side: '|' },
}
