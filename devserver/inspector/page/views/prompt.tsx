import type { VNode } from 'preact'
import type { PromptReport } from '../../../prompt-report.ts'
import { useAsked } from '../data/ask.ts'
import type { ViewProps } from './try.tsx'

interface Block {
  readonly plugin: string | null
  readonly name: string
  readonly tokens: number
  readonly stable: boolean
  readonly text?: string
  readonly change?: 'added' | 'changed' | 'same' | null
}

/** The next request as stacked blocks: whose each is, what it takes, what a server's cache can keep, what changed. */
export function Prompt({ api, state }: ViewProps): VNode {
  const reply = useAsked<PromptReport>(api, 'prompt', [state.revision, state.turns])
  if (!reply) return <p class="dim">assembling …</p>
  if (!reply.ok) return <p class="crit">{reply.message}</p>
  const { blocks, tools, gone, stableBytes, body } = reply.body
  const all: readonly Block[] = [...blocks, ...tools.map((one) => ({ ...one, name: `tool ${one.name}` }))]
  const total = all.reduce((sum, one) => sum + one.tokens, 0)
  const bytes = new TextEncoder().encode(JSON.stringify(body)).length
  const most = Math.max(1, ...all.map((one) => one.tokens))
  return (
    <>
      <p class="figures">
        <b>{total}</b> tokens, about · <span class="stable">stable prefix</span> {stableBytes} of {bytes}{' '}
        bytes ({Math.round((stableBytes / Math.max(1, bytes)) * 100)} %)
      </p>
      <Shares blocks={all} total={total} />
      <ol class="blocks">
        {all.map((one) => (
          <OneBlock key={`${one.plugin} ${one.name}`} block={one} most={most} />
        ))}
      </ol>
      {gone.length > 0 && (
        <p class="dim">
          gone since the last turn: {gone.map((one) => `${one.plugin ?? 'amber'}:${one.name}`).join(', ')}
        </p>
      )}
      <details>
        <summary>the request as it is sent</summary>
        <pre>{JSON.stringify(body, undefined, 2).slice(0, 200_000)}</pre>
      </details>
    </>
  )
}

/** What each plugin takes of the whole. */
function Shares({ blocks, total }: { readonly blocks: readonly Block[]; readonly total: number }): VNode {
  const sums = new Map<string, number>()
  for (const { plugin, tokens } of blocks)
    sums.set(plugin ?? 'amber', (sums.get(plugin ?? 'amber') ?? 0) + tokens)
  const shares = [...sums].sort((a, b) => b[1] - a[1])
  return (
    <ul class="shares" aria-label="share of each plugin">
      {shares.map(([plugin, tokens]) => (
        <li key={plugin}>
          {plugin} <b>{Math.round((tokens / Math.max(1, total)) * 100)} %</b>{' '}
          <span class="dim">{tokens}</span>
        </li>
      ))}
    </ul>
  )
}

function OneBlock({ block, most }: { readonly block: Block; readonly most: number }): VNode {
  const { plugin, name, tokens, stable, text, change } = block
  const head = (
    <span class="block-head">
      <span class="name">
        {plugin ?? 'amber'} · {name}
      </span>
      {change === 'added' && <b class="warn">+ new since the last turn</b>}
      {change === 'changed' && <b class="warn">~ changed since the last turn</b>}
      <span class="dim">{stable ? 'stable' : 'behind the prefix'}</span>
      <svg class="weight" width="80" height="8" aria-hidden="true">
        <rect width={Math.max(1, (tokens / most) * 80)} height="8" />
      </svg>
      <span class="number">{tokens}</span>
    </span>
  )
  return (
    <li class={stable ? 'is-stable' : ''}>
      {text === undefined ? (
        head
      ) : (
        <details>
          <summary>{head}</summary>
          <pre>{text}</pre>
        </details>
      )}
    </li>
  )
}
