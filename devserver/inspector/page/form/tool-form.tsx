import type { VNode } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { ToolRow } from '../../../http/inspector-api.ts'
import type { Api, Reply } from '../data/api.ts'
import { cutText, durationOf } from '../data/text.ts'
import { Field } from './field.tsx'
import { JsonField } from './scalar-fields.tsx'
import { initialOf, mistakesIn } from './schema.ts'

/** What a call answered. */
interface Answer {
  readonly ok: boolean
  readonly output?: string
  readonly error?: string
  readonly durationMs: number
}

/** How long after the last change the host is asked whether the arguments are right. Milliseconds. */
const CHECK_MS = 120
/** Characters of an output that are drawn. */
const MAX_OUTPUT = 50_000

const NO_MISTAKES: ReadonlyMap<string, string> = new Map()

/** The form of one tool: its arguments, whether the host would take them, and what a call answers. */
export function ToolForm({ api, tool }: { readonly api: Api; readonly tool: ToolRow }): VNode {
  const [args, setArgs] = useState<unknown>(() => initialOf(tool.parameters, tool.parameters))
  const [asJson, setAsJson] = useState(false)
  const [approve, setApprove] = useState(false)
  const [running, setRunning] = useState(false)
  const [answer, setAnswer] = useState<Reply<Answer>>()
  const message = useCheck(api, tool, args)
  const mistakes = useMemo(() => (message === '' ? NO_MISTAKES : mistakesIn(message)), [message])
  const asks = tool.approval !== 'never'

  const run = async (withApproval: boolean) => {
    if (running) return
    setRunning(true)
    setAnswer(
      await api.post<Answer>(`tools/${encodeURIComponent(tool.name)}`, args, { approve: withApproval }),
    )
    setRunning(false)
  }
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    void run(approve)
  }
  return (
    <form
      class="tool-form"
      aria-label={`call ${tool.name}`}
      onKeyDown={press}
      onSubmit={(event) => {
        event.preventDefault()
        void run(approve)
      }}
    >
      {asJson ? (
        <JsonField path={[]} mistakes={mistakes} value={args} onChange={setArgs} />
      ) : (
        <Field
          schema={tool.parameters}
          root={tool.parameters}
          path={[]}
          value={args}
          mistakes={mistakes}
          onChange={setArgs}
        />
      )}
      {mistakes.has('') && <p class="crit">✗ {mistakes.get('')}</p>}
      <div class="row">
        <button type="submit" class="primary" disabled={running}>
          {running ? 'running …' : 'run'}
        </button>
        <button type="button" aria-pressed={asJson} onClick={() => setAsJson(!asJson)}>
          JSON
        </button>
        {asks && (
          <label>
            <input
              type="checkbox"
              checked={approve}
              onChange={(event) => setApprove(event.currentTarget.checked)}
            />{' '}
            approve this call
          </label>
        )}
        <span class={message === '' ? 'good' : 'warn'} role="status">
          {message === '' ? '✓ the host takes these arguments' : '✗ the host would refuse these arguments'}
        </span>
      </div>
      {answer && <Shown answer={answer} onApprove={asks ? () => void run(true) : undefined} />}
    </form>
  )
}

/** Asks the host after each change; the text says what is wrong, and is empty when nothing is. */
function useCheck(api: Api, tool: ToolRow, args: unknown): string {
  const [message, setMessage] = useState('')
  useEffect(() => {
    const stop = new AbortController()
    const timer = setTimeout(async () => {
      const path = `tools/${encodeURIComponent(tool.name)}/check`
      const reply = await api.post<{ readonly ok: boolean; readonly message?: string }>(path, args, {
        signal: stop.signal,
      })
      if (!stop.signal.aborted && reply.ok) setMessage(reply.body.message ?? '')
    }, CHECK_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [api, tool, args])
  return message
}

function Shown(props: {
  readonly answer: Reply<Answer>
  readonly onApprove: (() => void) | undefined
}): VNode {
  const { answer, onApprove } = props
  if (!answer.ok) {
    return (
      <p class="crit" role="alert">
        ✗ {answer.message} <span class="dim">{answer.hint}</span>
      </p>
    )
  }
  const { ok, output, error, durationMs } = answer.body
  const denied = error?.includes('x-amber-approve') === true
  return (
    <section class="result" aria-label="result">
      <h4>
        <span class={ok ? 'good' : 'crit'}>{ok ? '✓ done' : '✗ failed'}</span>
        <span class="dim">{durationOf(durationMs)}</span>
        {denied && onApprove && (
          <button type="button" onClick={onApprove}>
            approve and run
          </button>
        )}
      </h4>
      {error !== undefined && <pre class="crit">{cutText(error, MAX_OUTPUT)}</pre>}
      {output !== undefined && <pre>{cutText(output, MAX_OUTPUT)}</pre>}
    </section>
  )
}
