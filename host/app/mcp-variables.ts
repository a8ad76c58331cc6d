import type { McpServer } from '../../sdk/index.ts'

type Variables = Readonly<Record<string, string | undefined>>
type Written = Pick<McpServer, 'name' | 'command' | 'args' | 'env' | 'cwd' | 'url' | 'headers'>
type Filled = Omit<Written, 'name'> & Pick<McpServer, 'place' | 'variables' | 'problem'>

/** `${NAME}`, `${NAME:-otherwise}`, and `${env:NAME}` as editors write it. */
const REFERENCE = /\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g

/**
 * A server of mcp.json with the variables that it names put in from amber's own environment: in its program, arguments,
 * folder, variables, address and headers. One that is not set and has no default is a problem that names server, place
 * and variable; no value is in it.
 */
export function fillVariables(server: Written, environment: Variables): Filled {
  const used = new Map<string, string>()
  const missing: string[] = []
  const fill = (text: string, place: string) =>
    text.replace(REFERENCE, (reference: string, name: string, otherwise: string | undefined) => {
      const value = Object.hasOwn(environment, name) ? environment[name] : undefined
      // As in a shell: the default stands in for what is empty too.
      const filled = otherwise === undefined ? value : value || otherwise
      if (filled === undefined) missing.push(`${place} names \${${name}}, which is not set`)
      else if (filled === value) used.set(name, filled)
      return filled ?? reference
    })
  const fillAll = (texts: Readonly<Record<string, string>>, place: string) =>
    Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, fill(text, `${place}.${key}`)]))
  const filled = {
    command: fill(server.command, 'command'),
    args: server.args.map((text, at) => fill(text, `args[${at}]`)),
    env: fillAll(server.env, 'env'),
    cwd: server.cwd === undefined ? undefined : fill(server.cwd, 'cwd'),
    url: fill(server.url, 'url'),
    headers: fillAll(server.headers, 'headers'),
  }
  return {
    ...filled,
    place: server.url || [server.command, ...server.args].join(' '),
    variables: Object.fromEntries(used),
    problem: problemOf(server, filled.url, missing),
  }
}

function problemOf({ name, url }: Written, filled: string, missing: readonly string[]): string | undefined {
  if (missing.length > 0) {
    const which = `the MCP server ${name}: ${[...new Set(missing)].join('; ')}`
    return `${which}. Set it where amber is started, or give a default in mcp.json: \${NAME:-default}`
  }
  if (url === '' || /^https?:\/\/\S+$/.test(filled)) return undefined
  return `the MCP server ${name}: its url, ${url}, is no http or https address once its variables are put in`
}
