import type { VNode } from 'preact'
import type { Api } from '../data/api.ts'
import { hrefOf, type Route } from '../data/route.ts'
import type { State } from '../data/store.ts'
import { ToolForm } from '../form/tool-form.tsx'
import { Commands } from './commands.tsx'

/** What every view is drawn from. */
export interface ViewProps {
  readonly api: Api
  readonly state: State
  readonly route: Route
}

/** Tools and commands, to be run. */
export function Try({ api, state, route }: ViewProps): VNode {
  const [what, name] = route.rest
  const isCommand = what === 'command'
  const own = new Set(state.plugins.filter((one) => one.source !== 'bundled').map((one) => one.id))
  const tools = [...state.tools].sort((a, b) => Number(own.has(b.plugin)) - Number(own.has(a.plugin)))
  const tool = isCommand
    ? undefined
    : (tools.find((one) => one.name === name) ?? (name === undefined ? tools[0] : undefined))
  return (
    <div class="try">
      <nav class="choices" aria-label="what to try">
        <a href={hrefOf({ ...route, rest: ['command'] })} aria-current={isCommand ? 'page' : undefined}>
          / commands
        </a>
        <h3>tools</h3>
        <ul>
          {tools.map((one) => (
            <li key={one.name}>
              <a
                href={hrefOf({ ...route, rest: ['tool', one.name] })}
                aria-current={one === tool ? 'page' : undefined}
              >
                {one.name} <span class="dim">{one.plugin === one.name ? '' : one.plugin}</span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {isCommand ? (
        <Commands {...{ api, state, route }} />
      ) : tool ? (
        <article>
          <h3>
            {tool.name} <span class="dim">{`${tool.plugin} · gen ${tool.generation}`}</span>
          </h3>
          <p>{tool.description}</p>
          <p class="dim">
            {tool.readOnly ? 'reads only' : 'may change things'} · approval {tool.approval} · says “
            {tool.verb}”
          </p>
          {/* A tool whose parameters were changed begins anew; another swap leaves what was written. */}
          <ToolForm key={`${tool.name} ${JSON.stringify(tool.parameters)}`} api={api} tool={tool} />
        </article>
      ) : (
        <p class="dim">{name === undefined ? 'there is no tool' : `there is no tool ${name}`}</p>
      )}
    </div>
  )
}
