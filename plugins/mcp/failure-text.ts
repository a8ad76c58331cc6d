/** What a thrown value says. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}

/** The SDK's words, without its numbers; a time that ran out names the setting and its unit (M4). */
export function failureText(thrown: unknown, timeoutMs: number): string {
  const message = messageOf(thrown).replace(/^MCP error -?\d+: /, '')
  if (/request timed out/i.test(message))
    return `it did not answer within ${timeoutMs} ms ("timeout" in mcp.json, in milliseconds)`
  const cause = thrown instanceof Error && thrown.cause instanceof Error ? ` (${thrown.cause.message})` : ''
  return message + cause
}
