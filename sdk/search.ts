/** One question to a search backend. */
export interface SearchQuery {
  readonly pattern: string
  /** Absolute, confined path of the file or folder to search. */
  readonly path: string
  /** The workspace's root, absolute; answers are relative to it. */
  readonly root: string
  readonly glob: string | undefined
  readonly max: number
}

/** One hit. `line` counts from 1. */
export interface SearchHit {
  readonly path: string
  readonly line: number
  readonly text: string
}

/** What a backend answers. */
export type SearchAnswer =
  | {
      readonly ok: true
      readonly hits: readonly SearchHit[]
      /** There are more hits than these. */
      readonly truncated: boolean
      /** How many hits there are in all, when the backend knows. */
      readonly total?: number
      /** What the reader should know of how it was searched: files that could not be read, time that ran out. */
      readonly note?: string
    }
  | { readonly ok: false; readonly error: string }

/** A search backend's behaviour; its mode is in the manifest. */
export interface SearchBackendHandler {
  search(query: SearchQuery, call: { readonly signal: AbortSignal }): Promise<SearchAnswer>
}
