import type { VNode } from 'preact'
import type { Problem } from '../../../history.ts'
import type { State } from '../data/store.ts'
import { timeOf } from '../data/text.ts'
import { Frame } from './frame.tsx'

/** What is wrong now, newest first; what was mended is gone. */
export function Problems({ state }: { readonly state: State }): VNode {
  const { problems, plugins } = state
  return (
    <section class="problems" aria-label="problems">
      <h2>
        problems{' '}
        <span class={problems.length === 0 ? 'good' : 'crit'}>
          {problems.length === 0 ? '✓ none' : problems.length}
        </span>
      </h2>
      <div aria-live="polite">
        {problems.map((one) => (
          <OneProblem
            key={`${one.plugin} ${one.at} ${one.message}`}
            problem={one}
            plugin={plugins.find(({ id }) => id === one.plugin)}
          />
        ))}
      </div>
    </section>
  )
}

function OneProblem(props: {
  readonly problem: Problem
  readonly plugin: State['plugins'][number] | undefined
}): VNode {
  const { problem, plugin } = props
  const generation = plugin?.generation ?? 0
  const answers = generation > 0 ? `generation ${generation} still answers` : 'nothing answers'
  return (
    <article class={problem.severity === 'error' ? 'problem is-error' : 'problem'}>
      <h3>
        <b>{problem.plugin ?? 'amber'}</b>
        <time class="dim">{timeOf(problem.at)}</time>
      </h3>
      {problem.phase && (
        <p>
          rejected at {problem.phase} <span class="dim">· {answers}</span>
        </p>
      )}
      {problem.diagnostics.map((one, index) => (
        <Frame key={index} finding={one} folder={plugin?.path} />
      ))}
      {problem.diagnostics.length === 0 && (
        <p>
          <b class="warn">warning</b> {problem.message}
        </p>
      )}
    </article>
  )
}
