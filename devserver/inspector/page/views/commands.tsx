import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { CommandNode } from '../../../../manifests/command-node.ts'
import type { Reply } from '../data/api.ts'
import { cutText } from '../data/text.ts'
import type { ViewProps } from './try.tsx'

type Ran = Reply<{ readonly text: string; readonly ok: boolean }>

const MAX_OUTPUT = 50_000

/** The command tree, and a line to run. */
export function Commands({ api, state, route }: ViewProps): VNode {
  const [line, setLine] = useState(route.rest[1] ?? '')
  const [ran, setRan] = useState<{ readonly line: string; readonly reply: Ran }>()
  useEffect(() => {
    if (route.rest[1] !== undefined) setLine(route.rest.slice(1).join(' '))
  }, [route.rest.join(' ')])
  const run = async () => {
    if (line.trim() === '') return
    const reply: Ran = await api.post('commands', { line })
    setRan({ line, reply })
  }
  const roots = [...state.commands].sort((a, b) => Number(a.plugin === null) - Number(b.plugin === null))
  return (
    <article>
      <form
        class="row command-line"
        onSubmit={(event) => {
          event.preventDefault()
          void run()
        }}
      >
        <label for="command-line">/</label>
        <input
          id="command-line"
          aria-label="command line"
          autocomplete="off"
          spellcheck={false}
          value={line}
          onInput={(event) => setLine(event.currentTarget.value)}
        />
        <button type="submit" class="primary">
          run
        </button>
      </form>
      {ran && <Output {...ran} />}
      <ul class="tree">
        {roots.map((one) => (
          <Node
            key={one.name}
            name={one.name}
            node={one.node}
            owner={one.plugin ?? 'amber'}
            above=""
            onChoose={setLine}
          />
        ))}
      </ul>
    </article>
  )
}

function Output({ line, reply }: { readonly line: string; readonly reply: Ran }): VNode {
  const isOk = reply.ok && reply.body.ok
  return (
    <section class="result" aria-label="result">
      <h4>
        <span class={isOk ? 'good' : 'crit'}>{isOk ? '✓' : '✗'}</span> <code>/{line}</code>
      </h4>
      <pre class={isOk ? '' : 'crit'}>
        {reply.ok ? cutText(reply.body.text, MAX_OUTPUT) : `${reply.message}\n${reply.hint}`}
      </pre>
    </section>
  )
}

interface NodeProps {
  readonly name: string
  readonly node: CommandNode
  /** Where a root comes from. */
  readonly owner?: string
  /** The words before it. */
  readonly above: string
  onChoose(line: string): void
}

function Node({ name, node, owner, above, onChoose }: NodeProps): VNode {
  const path = above === '' ? name : `${above} ${name}`
  const children = Object.entries(node.children ?? {})
  const head = (
    <>
      <button type="button" class="plain name" onClick={() => onChoose(path)}>
        {above === '' ? '/' : ''}
        {name}
      </button>{' '}
      <span class="dim">
        {node.help}
        {owner === undefined ? '' : ` · ${owner}`}
      </span>
      {(node.choices ?? []).slice(0, 20).map((choice) => (
        <button key={choice} type="button" class="chip" onClick={() => onChoose(`${path} ${choice}`)}>
          {choice}
        </button>
      ))}
    </>
  )
  if (children.length === 0) return <li>{head}</li>
  return (
    <li>
      <details open={owner !== undefined && owner !== 'amber'}>
        <summary>{head}</summary>
        <ul>
          {children.map(([word, child]) => (
            <Node key={word} name={word} node={child} above={path} onChoose={onChoose} />
          ))}
        </ul>
      </details>
    </li>
  )
}
