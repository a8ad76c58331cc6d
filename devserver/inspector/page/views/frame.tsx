import type { VNode } from 'preact'
import type { FramedDiagnostic } from '../../../excerpt.ts'
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
            <Line key={index} text={text} number={excerpt.first + index} finding={finding} />
          ))}
        </pre>
      )}
      {hint !== undefined && <p>{hint}</p>}
    </div>
  )
}

function Line(props: {
  readonly text: string
  readonly number: number
  readonly finding: FramedDiagnostic
}): VNode {
  const { text, number, finding } = props
  const isIt = number === finding.line
  const start = Math.min(finding.column - 1, text.length)
  const end = start + Math.max(1, finding.length ?? 1)
  // Tabs are two columns here, so that the mark stands under what it means.
  const narrow = (part: string) => part.replaceAll('\t', '  ')
  return (
    <>
      <span class={isIt ? 'line it' : 'line'}>
        <span class="number">{String(number).padStart(4)}</span> {narrow(text)}
        {'\n'}
      </span>
      {isIt && (
        <span class="mark">
          {'     '}
          {' '.repeat(narrow(text.slice(0, start)).length)}
          {'^'.repeat(Math.max(1, Math.min(narrow(text.slice(start, end)).length, 80)))}
          {'\n'}
        </span>
      )}
    </>
  )
}
