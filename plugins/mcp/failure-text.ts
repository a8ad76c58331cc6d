/** What a thrown value says. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}

/** The SDK's words, without its numbers; a time that ran out names the setting and its unit (M4). */
export function failureText(thrown: unknown, timeoutMs: number): string {
  const message = messageOf(thrown).replace(/^MCP error -?\d+: /, '')
  if (/request timed out/i.test(message))
    return `it did not answer within ${timeoutMs} ms ("timeout" in mcp.json, in milliseconds)`
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined
  if (code === 401 || code === 403 || /^Unauthorized$/i.test(message)) return notAllowed(code)
  const cause = thrown instanceof Error && thrown.cause instanceof Error ? ` (${thrown.cause.message})` : ''
  return message + cause
}

/** Signing in is between the user and the server; a token that came of it goes into a header. */
function notAllowed(code: unknown): string {
  const status = code === 403 ? '403' : '401'
  return `it wants to know who calls (HTTP ${status}): give it a token in mcp.json, "headers": {"Authorization": "Bearer \${NAME}"}; amber does not sign in by OAuth`
}
