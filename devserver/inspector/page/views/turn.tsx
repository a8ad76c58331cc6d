import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { TurnEntry, TurnReport } from '../../../turn-record.ts'
import { useAsked } from '../data/ask.ts'
import { cutText, durationOf } from '../data/text.ts'
import type { ViewProps } from './try.tsx'

/** Entries that are drawn; a longer turn says how many more there are. */
const MAX_ROWS = 500

/** One prompt, and what came of it: the raw wire on one side, what it was decoded to on the other. */
export function Turn({ api, state }: ViewProps): VNode {
  const [prompt, setPrompt] = useState('greet amber')
  const [running, setRunning] = useState(false)
  const [failure, setFailure] = useState('')
  const [count, setCount] = useState(0)
  const report = useAsked<TurnReport | null>(api, 'turns/last', [state.turns, count])
  const run = async () => {
    if (running || prompt.trim() === '') return
    setRunning(true)
    setFailure('')
    const reply = await api.post('turn', { prompt })
    if (!reply.ok) setFailure(`${reply.message} ${reply.hint}`)
    setRunning(false)
    setCount((before) => before + 1)
  }
  return (
    <>
      <form
        class="row prompt-line"
        onSubmit={(event) => {
          event.preventDefault()
          void run()
        }}
      >
        <textarea
          aria-label="prompt"
          rows={1}
          value={prompt}
          onInput={(event) => setPrompt(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey) return
            event.preventDefault()
            void run()
          }}
        />
        <button type="submit" class="primary" disabled={running}>
          {running ? 'running …' : 'send'}
        </button>
      </form>
      {failure !== '' && (
        <p class="crit" role="alert">
          ✗ {failure}
        </p>
      )}
      {report?.ok && report.body && <Report report={report.body} />}
      {report?.ok && report.body === null && (
        <p class="dim">
          no turn yet: without a provider the rehearsal answers, and calls tools when asked in plain words
        </p>
      )}
    </>
  )
}

function Report({ report }: { readonly report: TurnReport }): VNode {
  const { result, entries, dropped, error } = report
  const rows = inStep(entries)
  const more = Math.max(0, rows.length - MAX_ROWS) + dropped
  return (
    <section aria-label="turn">
      <h3>
        ❯ {report.prompt} {report.running && <span class="warn">running</span>}
      </h3>
      {error !== undefined && <p class="crit">✗ {error}</p>}
      {result && (
        <>
          <pre class="answer">{cutText(result.text, 20_000)}</pre>
          <p class="dim">
            {result.provider} · {result.model} · {result.finishReason} · ↑{result.usage.inputTokens ?? '?'} ↓
            {result.usage.outputTokens ?? '?'} tokens
          </p>
          {result.errors.map((one) => (
            <p key={one.message} class="crit">
              ✗ {one.kind}: {one.message} <span class="dim">{one.hint}</span>
            </p>
          ))}
        </>
      )}
      <table class="wire" aria-label="wire and events">
        <thead>
          <tr>
            <th scope="col">wire</th>
            <th scope="col">decoded</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MAX_ROWS).map((row, index) => (
            <tr key={index}>
              <td>{row.wire && <Entry entry={row.wire} />}</td>
              <td>
                {row.decoded.map((entry, at) => (
                  <Entry key={at} entry={entry} />
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && <p class="dim">and {more} more</p>}
    </section>
  )
}

function Entry({ entry }: { readonly entry: TurnEntry }): VNode {
  const { at, kind, text } = entry
  const tone =
    kind === 'error' ? 'crit' : kind === 'tool.completed' && text.includes('"ok":false') ? 'warn' : ''
  return (
    <div class="entry">
      <span class="dim">{durationOf(at)}</span> <b class={tone}>{kind}</b>
      {text !== '' && <pre>{cutText(text.trimEnd(), 10_000)}</pre>}
    </div>
  )
}

interface Step {
  readonly wire: TurnEntry | undefined
  readonly decoded: readonly TurnEntry[]
}

/** Each piece of the wire beside what came of it; deltas of one text that follow one another are one. */
function inStep(entries: readonly TurnEntry[]): readonly Step[] {
  const steps: { wire: TurnEntry | undefined; decoded: TurnEntry[] }[] = []
  for (const entry of entries) {
    const step = steps.at(-1)
    if (entry.side === 'wire') steps.push({ wire: entry, decoded: [] })
    else if (!step) steps.push({ wire: undefined, decoded: [entry] })
    else {
      const last = step.decoded.at(-1)
      const joins = last?.kind === entry.kind && (entry.kind === 'text' || entry.kind === 'reasoning')
      if (joins) step.decoded.splice(-1, 1, { ...last, text: last.text + entry.text })
      else step.decoded.push(entry)
    }
  }
  return steps
}
