import xterm from '@xterm/headless'

const CELL = { width: 8.43, height: 18 }
const MARGIN = 14
const FONT = "ui-monospace, 'JetBrains Mono', 'DejaVu Sans Mono', Menlo, Consolas, monospace"
const THEME = { background: '#16181d', foreground: '#d7dae0', dim: '#868d9b' }
const PALETTE = [
  '#3b4048', '#e06c75', '#98c379', '#e5c07b', '#61afef', '#c678dd', '#56b6c2', '#d7dae0',
  '#5c6370', '#e06c75', '#98c379', '#e5c07b', '#61afef', '#c678dd', '#56b6c2', '#ffffff',
]

/** Cells of one row that look alike. */
interface Run {
  readonly column: number
  readonly text: string
  readonly fill: string
  readonly bold: boolean
  /** Columns. */
  readonly width: number
}

/** Draws a captured screen as SVG: the sequences are read by a virtual terminal, and its cells are drawn. */
export async function drawSvg(ansi: string, options: { readonly columns: number; readonly title: string }): Promise<string> {
  const lines = ansi.replace(/\n+$/, '').split('\n')
  const terminal = new xterm.Terminal({ cols: options.columns, rows: lines.length, allowProposedApi: true, convertEol: true })
  await new Promise<void>((resolve) => terminal.write(lines.join('\r\n'), resolve))
  const rows = lines.map((_, row) => runsOf(terminal, row))
  terminal.dispose()
  const width = Math.ceil(options.columns * CELL.width + 2 * MARGIN)
  const height = lines.length * CELL.height + 2 * MARGIN
  const body = rows.flatMap((runs, row) => runs.map((run) => drawRun(run, row)))
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escape(options.title)}">`,
    `<title>${escape(options.title)}</title>`,
    `<rect width="100%" height="100%" rx="8" fill="${THEME.background}"/>`,
    `<g font-family="${FONT}" font-size="14" xml:space="preserve">`,
    ...body,
    '</g>',
    '</svg>',
    '',
  ].join('\n')
}

function runsOf(terminal: InstanceType<typeof xterm.Terminal>, row: number): readonly Run[] {
  const line = terminal.buffer.active.getLine(row)
  const runs: { column: number; text: string; fill: string; bold: boolean; width: number }[] = []
  for (let column = 0; column < terminal.cols; column += 1) {
    const cell = line?.getCell(column)
    if (!cell || cell.getWidth() === 0) continue
    const fill = fillOf(cell)
    const bold = cell.isBold() !== 0
    const text = cell.getChars() || ' '
    const last = runs.at(-1)
    // Viewers join blanks: what stands after several of them is a run of its own.
    if (last && last.fill === fill && last.bold === bold && !(text !== ' ' && last.text.endsWith('  '))) {
      last.text += text
      last.width += cell.getWidth()
    } else runs.push({ column, text, fill, bold, width: cell.getWidth() })
  }
  return runs.filter((run) => run.text.trim() !== '')
}

type Cell = NonNullable<ReturnType<NonNullable<ReturnType<InstanceType<typeof xterm.Terminal>['buffer']['active']['getLine']>>['getCell']>>

function fillOf(cell: Cell): string {
  const colour = cell.getFgColor()
  if (cell.isFgPalette()) return PALETTE[colour] ?? paletteColour(colour)
  if (cell.isFgRGB()) return `#${colour.toString(16).padStart(6, '0')}`
  return cell.isDim() ? THEME.dim : THEME.foreground
}

/** Of the 256: a cube of 6x6x6 colours, then greys. */
function paletteColour(index: number): string {
  const hex = (value: number) => value.toString(16).padStart(2, '0')
  if (index >= 232) return `#${hex(8 + (index - 232) * 10).repeat(3)}`
  const level = (step: number) => hex(step === 0 ? 0 : 55 + step * 40)
  const at = index - 16
  return `#${level(Math.floor(at / 36))}${level(Math.floor(at / 6) % 6)}${level(at % 6)}`
}

function drawRun({ column, text, fill, bold, width }: Run, row: number): string {
  const lead = text.length - text.trimStart().length
  const x = (MARGIN + (column + lead) * CELL.width).toFixed(1)
  const y = MARGIN + row * CELL.height + 13
  const shown = text.trim()
  const cells = width - (text.length - shown.length)
  const length = `textLength="${(cells * CELL.width).toFixed(1)}"`
  return `<text x="${x}" y="${y}" fill="${fill}"${bold ? ' font-weight="600"' : ''} ${length}>${escape(shown)}</text>`
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
