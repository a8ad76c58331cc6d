import { createHash } from 'node:crypto'

/** Characters that a vendor lets a tool's name have. */
const LONGEST = 64

/**
 * The names of a server's tools among all tools: `mcp_<server>_<tool>`, at most 64 characters of `[a-zA-Z0-9_-]`. What
 * a name cannot hold as it is gets a hash at its end, so that no two tools ever meet in one name, whatever order they
 * come in; which tool a name stands for is kept beside it, so nothing is ever read back out of a name.
 */
export interface ServerNames {
  /** The name of the group that all of the server's tools are. */
  readonly group: string
  toolName(tool: string): string
}

/** The names for one server; `all` are the servers that there are. */
export function serverNames(server: string, all: readonly string[]): ServerNames {
  const plain = legal(server)
  // `a_b` with the tool `c`, and `a` with the tool `b_c`, would be one name.
  const isAmbiguous = all.some((other) => other !== server && `${plain}_`.startsWith(`${legal(other)}_`))
  const key = isAmbiguous ? marked(plain, server) : plain
  return {
    group: cut(`mcp_${key}`, server),
    toolName: (tool) => cut(`mcp_${key}_${legal(tool)}`, `${server}\n${tool}`),
  }
}

function legal(name: string): string {
  const replaced = name.replace(/[^a-zA-Z0-9_-]/g, '_')
  return replaced === name ? name : marked(replaced, name)
}

function cut(name: string, whole: string): string {
  return name.length <= LONGEST ? name : marked(name.slice(0, LONGEST - 9), whole, 8)
}

function marked(name: string, whole: string, length = 4): string {
  return `${name}-${createHash('sha256').update(whole).digest('hex').slice(0, length)}`
}
