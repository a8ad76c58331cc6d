import type { SearchAnswer } from './search.ts'

/** Names that a manifest's `requires` may say (interfaces 4). */
export type ServiceName = 'jobs' | 'todos' | 'subagents' | 'skills' | 'search' | 'workspace' | 'shell'

/** The services of this run; an absent one is undefined. All are async and take and give plain data. */
export interface HostServices {
  readonly workspace?: WorkspaceService
  readonly search?: SearchService
}

/** Paths of the workspace, confined by their real path (contract SAFE-1). */
export interface WorkspaceService {
  /** Absolute real path of the workspace's root. */
  root(): Promise<string>
  /** Resolves a path and says whether it is inside; a refusal names the rule that refused. */
  locate(path: string): Promise<Located>
  /** Opens, checks and reads a regular file inside the workspace through one handle. */
  read(path: string, options?: { readonly maxBytes?: number }): Promise<FileRead>
}

/** Where a path leads. */
export type Located =
  | {
      readonly ok: true
      /** Absolute real path. */
      readonly path: string
      /** Relative to the root, with `/`. */
      readonly relative: string
      readonly kind: 'file' | 'directory' | 'missing' | 'other'
    }
  | { readonly ok: false; readonly error: string }

/** A file's bytes, or why not. */
export type FileRead =
  | {
      readonly ok: true
      readonly path: string
      readonly relative: string
      readonly bytes: Uint8Array
      /** The file's whole size in bytes. */
      readonly size: number
    }
  | { readonly ok: false; readonly error: string }

/** Searching through whichever backends are enabled. */
export interface SearchService {
  /** The enabled modes, in order. */
  modes(): Promise<readonly string[]>
  search(
    request: {
      readonly pattern: string
      readonly path?: string
      readonly glob?: string
      readonly mode: string
      readonly max: number
    },
    call: { readonly signal: AbortSignal },
  ): Promise<SearchAnswer>
}
