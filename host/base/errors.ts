/** What kind of trouble an operational failure is; the command line maps it to an exit code (interfaces 2). */
export type AmberErrorCode =
  | 'failed'
  | 'usage'
  | 'configuration'
  | 'denied'
  | 'interrupted'
  | 'plugin'
  | 'llm'

/** An expected operational failure: what happened in one line, what to do in another. A bug is any other throw. */
export class AmberError extends Error {
  override readonly name = 'AmberError'
  readonly code: AmberErrorCode
  readonly hint: string

  constructor(code: AmberErrorCode, message: string, hint: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.hint = hint
  }
}

/** The text of anything that was thrown. Never throws, whatever getters the thing has. */
export function messageOf(thrown: unknown): string {
  if (typeof thrown === 'string') return thrown
  return attempt(() => ownWords(thrown)) ?? attempt(() => String(thrown)) ?? 'something that cannot be shown'
}

function ownWords(thrown: unknown): string | undefined {
  return thrown instanceof Error ? String(thrown.message || thrown.name) : JSON.stringify(thrown)
}

function attempt(read: () => string | undefined): string | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** The error code of a Node system error (`ENOENT`), or undefined. */
export function systemCode(thrown: unknown): string | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return undefined
  return typeof thrown.code === 'string' ? thrown.code : undefined
}
