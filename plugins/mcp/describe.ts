import type { McpServer } from 'amber-agent/sdk'
import type { Connection } from './connection.ts'
import { resourceLine } from './offered-tools.ts'

/** One line about a server. */
export function serverLine(connection: Connection): string {
  const { server } = connection
  const found = connection.inventory
  const counts = found
    ? [
        countOf(found.tools.length, 'tool'),
        countOf(found.prompts.length, 'prompt'),
        countOf(found.resources.length, 'resource'),
      ].filter(Boolean)
    : []
  const about = connection.error ?? counts.join(', ')
  return `${server.name.padEnd(20)} ${stateText(connection).padEnd(13)} ${about}`.trimEnd()
}

/** A server in full. Values of variables and headers may be keys: only their names are shown. */
export function serverPage(connection: Connection): string {
  const { server, names } = connection
  const found = connection.inventory
  const title = connection.title
  const lines = [
    `${server.name}: ${stateText(connection)}${title ? `, ${title}` : ''}`,
    placeOf(server),
    `one call may take ${server.timeoutMs} ms`,
    connection.error ?? '',
    ...section(
      'tools',
      found?.tools.map(({ name }) =>
        names.toolName(name) === `mcp_${server.name}_${name}`
          ? names.toolName(name)
          : `${names.toolName(name)} (${name})`,
      ),
    ),
    ...section(
      'prompts',
      found?.prompts.map(({ name, description }) => `${name}  ${description.slice(0, 100)}`.trimEnd()),
    ),
    ...section('resources', found?.resources.map(resourceLine)),
    ...section('its last lines', connection.noise.lines()),
  ]
  return lines.filter(Boolean).join('\n')
}

function stateText(connection: Connection): string {
  const state = connection.state
  return state === 'waiting' ? 'failed, retried' : state
}

function placeOf({ place, env, headers }: McpServer): string {
  const set = [...Object.keys(env), ...Object.keys(headers)]
  return set.length === 0 ? place : `${place} (with ${set.join(', ')})`
}

function section(title: string, lines: readonly string[] | undefined): readonly string[] {
  return lines === undefined || lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `  ${line}`)]
}

function countOf(count: number, noun: string): string {
  if (count === 0) return ''
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`
}
