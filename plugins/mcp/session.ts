import type { ToolResult } from 'amber-agent/sdk'
import type { Inventory } from './inventory.ts'

/** How one request to a server is watched. */
export interface Asking {
  readonly signal: AbortSignal
  /** Milliseconds; progress that the server tells begins it anew. */
  readonly timeoutMs: number
  progress?(text: string): void
}

/** An open connection to a server. Requests reject with an Error when the server or the way to it fails. */
export interface Session {
  /** What the server calls itself. */
  readonly title: string
  inventory(asking: Asking): Promise<Inventory>
  /** A tool's own failure is a result; cancelling tells the server (M5). */
  call(tool: string, args: Readonly<Record<string, unknown>>, asking: Asking): Promise<ToolResult>
  readResource(uri: string, asking: Asking): Promise<string>
  getPrompt(name: string, args: Readonly<Record<string, string>>, asking: Asking): Promise<string>
  /** Whether a request that rejected shows that there is no connection any more. */
  isLost(thrown: unknown): boolean
  /** Ends the connection, and the server's process where there is one. Never rejects. */
  close(): Promise<void>
}

/** What a session tells. */
export interface SessionWatch {
  /** Tools, prompts or resources are others than they were (`list_changed`). */
  changed(): void
  /** The connection ended by itself. */
  ended(why: string): void
  /** A line that is no message: a banner, a log, what stands on standard error (M1). */
  noise(line: string): void
}
