/** A server of mcp.json, with every default filled in. */
export interface McpServer {
  readonly name: string
  readonly type: 'stdio' | 'http' | 'sse'
  /** The program to start; '' where `url` says where the server is. */
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Undefined: the workspace. */
  readonly cwd: string | undefined
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** How long one call may take, in milliseconds. */
  readonly timeoutMs: number
  readonly disabled: boolean
  /** Its program with arguments, or its address, as written: variables stand in it by their names. For people. */
  readonly place: string
  /** The variables of the environment that mcp.json names for it, and that were put in: none of the values is shown. */
  readonly variables: Readonly<Record<string, string>>
  /** Why it cannot be reached as it is written: a variable that is not set. */
  readonly problem: string | undefined
}

/** How a server is, for the status bar (STA-4). */
export interface McpServerState {
  readonly name: string
  readonly connected: boolean
  readonly hasError: boolean
}

/** What answers for the servers while it runs: the status bar and `/mcp`. The texts are for people. */
export interface McpConnections {
  states(): readonly McpServerState[]
  list(): Promise<string>
  show(server: string): Promise<string>
  connect(server: string, signal: AbortSignal): Promise<string>
  disconnect(server: string): Promise<string>
  /** Without a server: reads mcp.json again and asks every server anew. */
  refresh(server: string | undefined, signal: AbortSignal): Promise<string>
}

/** What amber knows of MCP servers: the user's mcp.json, and what a server's process may inherit. */
export interface McpService {
  /** The servers of `<config>/mcp.json`; none when there is no such file, or when it has a mistake, which is told. */
  servers(): Promise<{ readonly servers: readonly McpServer[]; readonly problems: readonly string[] }>
  /** The environment for a server's process: amber's own without keys of providers (SAFE-6). */
  environment(): Promise<Readonly<Record<string, string>>>
  /** Ends a process group with amber, however amber ends; the answer is for a group that has ended by itself. */
  guard(group: number): () => void
  /** Answers for the servers until it is disposed of, or something else answers. */
  attach(connections: McpConnections): () => void
}
