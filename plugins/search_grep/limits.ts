/** What one search may take. */
export interface SearchLimits {
  /** Milliseconds; then what was found so far is the answer. */
  readonly timeMs: number
  /** Matching lines that are collected, sorted and counted; beyond, the search stops. */
  readonly hits: number
  /** Bytes of one message of ripgrep, which holds a whole line; a longer one is skipped with a note. */
  readonly messageBytes: number
  /** Bytes of one file when ripgrep does not start; a larger one is skipped with a note. */
  readonly fileBytes: number
}

/** The limits of every search in the program. */
export const LIMITS: SearchLimits = {
  timeMs: 30_000,
  hits: 5000,
  messageBytes: 32 * 1024 * 1024,
  fileBytes: 32 * 1024 * 1024,
}
