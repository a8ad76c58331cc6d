/** What the index of one workspace may take. */
export interface IndexLimits {
  /** Files that are looked at. */
  readonly files: number
  /** Bytes of one file; a larger one is left out. */
  readonly fileBytes: number
  /** Terms of all chunks together, five bytes each. */
  readonly terms: number
  /** Milliseconds that one question may spend on reading; the rest is read at the next one. */
  readonly timeMs: number
}

/** The limits in use: 80 MB of index at most. */
export const LIMITS: IndexLimits = {
  files: 60_000,
  fileBytes: 1024 * 1024,
  terms: 16_000_000,
  timeMs: 25_000,
}
