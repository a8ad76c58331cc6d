import type { VNode } from 'preact'
import type { Excerpt, FramedDiagnostic } from '../../../excerpt.ts'
import { shortPath } from '../data/text.ts'

/** A finding over the lines that it is about, as the terminal draws it. */
export function Frame(props: {
  readonly finding: FramedDiagnostic
  readonly folder: string | undefined
}): VNode {
  const { finding, folder } = props
  const { severity, message, code, file, line, column, path, hint, excerpt } = finding
  return (
    <div class="frame">
      <p>
        <b class={severity === 'error' ? 'crit' : 'warn'}>{severity}</b> {message}{' '}
        <span class="dim">{code}</span>
      </p>
      <p class="dim place" title={file}>
        {shortPath(file, folder)}:{line}:{column} {path}
      </p>
      {excerpt && (
        <pre>
          {excerpt.lines.map((text, index) => (
            <Line
              key={index}
              text={text}
              number={excerpt.first + index}
              finding={finding}
              from={startOf(excerpt, finding)}
              digits={String(excerpt.first + excerpt.lines.length - 1).length}
            />
          ))}
        </pre>
      )}
      {hint !== undefined && <p>{hint}</p>}
    </div>
  )
}

/** Columns that lines are not shown from: indentation that all have, and more where the finding would be out of sight. */
function startOf({ lines }: Excerpt, { column }: FramedDiagnostic): number {
  const indents = lines.filter((one) => one.trim() !== '').map((one) => one.length - one.trimStart().length)
  const indent = Math.min(column - 1, ...indents)
  return column - indent > 44 ? column - 28 : indent
}

interface LineProps {
  readonly text: string
  readonly number: number
  readonly finding: FramedDiagnostic
  /** The first column that is shown, from 0. */
  readonly from: number
  /** Columns of the line numbers. */
  readonly digits: number
}

function Line({ text, number, finding, from, digits }: LineProps): VNode {
  const isIt = number === finding.line
  const start = Math.min(finding.column - 1, text.length)
  const end = start + Math.max(1, finding.length ?? 1)
  // Tabs are two columns here, so that the mark stands under what it means.
  const narrow = (part: string) => part.replaceAll('\t', '  ')
  return (
    <>
      <span class={isIt ? 'line it' : 'line'}>
        <span class="number">{String(number).padStart(digits)}</span> {narrow(text.slice(from))}
        {'\n'}
      </span>
      {isIt && (
        <span class="mark">
          {' '.repeat(digits + 1)}
          {' '.repeat(narrow(text.slice(from, start)).length)}
          {'^'.repeat(Math.max(1, Math.min(narrow(text.slice(start, end)).length, 80)))}
          {'\n'}
        </span>
      )}
    </>
  )
}
