import type { JobsService } from './jobs.ts'
import type { McpService } from './mcp.ts'
import type { SearchAnswer } from './search.ts'
import type { ShellService } from './shell.ts'

/** Names that a manifest's `requires` may say (interfaces 4). */
export type ServiceName = 'jobs' | 'todos' | 'subagents' | 'skills' | 'search' | 'workspace' | 'shell'

/** The services of this run; an absent one is undefined. All are async and take and give plain data. */
export interface HostServices {
  readonly workspace?: WorkspaceService
  readonly search?: SearchService
  readonly shell?: ShellService
  readonly jobs?: JobsService
  readonly todos?: TodoService
  readonly skills?: SkillService
  readonly subagents?: SubagentService
  /** What amber knows of itself: its folders, settings and commands. */
  readonly self?: SelfService
  /** Servers of the Model Context Protocol. */
  readonly mcp?: McpService
}

/** How far a todo is. */
export type TodoStatus = 'pending' | 'in_progress' | 'completed' | 'cancelled'

/** One thing to do. */
export interface Todo {
  /** Unique in its list. */
  readonly id: string
  readonly text: string
  readonly status: TodoStatus
}

/** The plan of each conversation: outside its context, stored with it, untouched by compression. */
export interface TodoService {
  /** `conversation` is the one that a call stands in ({@link ToolCall}). */
  list(conversation: string): Promise<readonly Todo[]>
  /** Replaces the whole list. */
  replace(conversation: string, todos: readonly Todo[]): Promise<void>
}

/** Where a skill comes from. */
export type SkillOrigin = 'user' | 'workspace' | 'plugin'

/** A skill as its discovery line says it (contract SKL-1). */
export interface SkillLine {
  readonly name: string
  readonly description: string
  readonly origin: SkillOrigin
  /** The plugin's id, or the folder's path. */
  readonly source: string
}

/** Skills from the user's folder, the trusted workspace's folder and the enabled plugins. */
export interface SkillService {
  /** Usable skills by name, and one sentence for each that is not usable. */
  list(): Promise<{ readonly skills: readonly SkillLine[]; readonly problems: readonly string[] }>
  /** A skill's body, cut to a budget with a note that says so. */
  read(
    name: string,
  ): Promise<
    | { readonly ok: true; readonly skill: SkillLine; readonly body: string }
    | { readonly ok: false; readonly error: string }
  >
  /** Writes or replaces a SKILL.md of the project or of the user, inside the skill folders alone. */
  write(skill: {
    readonly name: string
    readonly description: string
    readonly body: string
    readonly scope: 'project' | 'global'
  }): Promise<
    | { readonly ok: true; readonly path: string; readonly replaced: boolean; readonly note?: string }
    | { readonly ok: false; readonly error: string }
  >
}

/** Sub-agents: each with a context of its own, on the tools of the conversation that asks. */
export interface SubagentService {
  run(
    task: {
      readonly prompt: string
      /** The conversation and the call that ask ({@link ToolCall}). */
      readonly conversation: string
      readonly call: string
    },
    watch: { readonly signal: AbortSignal; progress(text: string): void },
  ): Promise<
    | { readonly ok: true; readonly text: string; readonly calls: number }
    | { readonly ok: false; readonly error: string; readonly text?: string }
  >
}

/** What amber says of itself. Never holds a secret. */
export interface SelfDescription {
  readonly version: string
  /** Absolute paths: where what is kept. */
  readonly places: readonly {
    readonly what: string
    readonly path: string
    readonly movedBy: readonly string[]
  }[]
  /** Every setting of config.json: its meaning, and its value where it is set. */
  readonly settings: readonly { readonly key: string; readonly about: string; readonly value?: string }[]
  /** Environment variables that amber reads, and whether each is set. */
  readonly environment: readonly { readonly name: string; readonly about: string; readonly isSet: boolean }[]
  /** Slash commands by their full line, with their help. */
  readonly commands: readonly { readonly line: string; readonly help: string }[]
}

/** Asks amber about itself. */
export interface SelfService {
  describe(): Promise<SelfDescription>
}

/** Paths of the workspace, confined by their real path (contract SAFE-1). */
export interface WorkspaceService {
  /** Absolute real path of the workspace's root. */
  root(): Promise<string>
  /** Resolves a path and says whether it is inside; a refusal names the rule that refused. */
  locate(path: string): Promise<Located>
  /**
   * Opens, checks and reads a regular file inside the workspace through one handle. A large file is read in pieces:
   * `offset` in bytes (default 0), `maxBytes` (default 16 MiB). Pieces belong together while `identity` is the same.
   */
  read(path: string, options?: { readonly offset?: number; readonly maxBytes?: number }): Promise<FileRead>
  /** The entries of a folder inside the workspace, sorted by name; `max` of them at most (default 200). */
  list(path: string, options?: { readonly max?: number }): Promise<FolderListing>
  /**
   * Creates or replaces a regular file inside the workspace in one step: a reader sees the old bytes or the new. Missing
   * folders are made, a link inside the workspace is written through, the mode is kept. With `expect`, what
   * {@link FileRead} said (`missing`: no file), it refuses when the file is not the one that was read any more.
   */
  write(
    path: string,
    bytes: Uint8Array,
    options?: { readonly expect?: string | 'missing' },
  ): Promise<FileWritten>
}

/** Which rule refused a path. */
export type PathRule =
  /** Empty, with a NUL, or longer than a file system takes. */
  | 'malformed'
  /** Its real path is not below the workspace's root. */
  | 'outside'
  /** A link whose target does not exist. */
  | 'dangling-link'
  /** Links that lead in a circle. */
  | 'link-loop'
  /** A file stands where the path needs a folder. */
  | 'not-a-folder'
  /** The system does not let amber in, or reading failed. */
  | 'unreadable'
  | 'missing'
  /** A folder where a file is needed. */
  | 'directory'
  /** A FIFO, a socket or a device. */
  | 'special'
  /** It became something else between the check and the opening, or since it was read. */
  | 'changed'
  /** The system does not let amber write there, or writing failed. */
  | 'unwritable'

/** Why a path was refused: the rule, and a sentence that says what to do. */
export interface PathRefusal {
  readonly ok: false
  readonly rule: PathRule
  readonly error: string
}

/** Where a path leads. */
export type Located =
  | {
      readonly ok: true
      /** Absolute real path; of a missing file: the real path of its deepest existing folder, and the rest. */
      readonly path: string
      /** Relative to the root, with `/`; `.` is the root itself. */
      readonly relative: string
      readonly kind: 'file' | 'directory' | 'missing' | 'other'
    }
  | PathRefusal

/** A file's bytes, or why not. */
export type FileRead =
  | {
      readonly ok: true
      readonly path: string
      readonly relative: string
      readonly bytes: Uint8Array
      /** The file's whole size in bytes. */
      readonly size: number
      /** The same for as long as it is the same file (device and inode), whatever its content. */
      readonly identity: string
      /** Another one after every change of the file's content: what a write may expect. */
      readonly version: string
    }
  | PathRefusal

/** What became of a write, or why it was refused. */
export type FileWritten =
  | {
      readonly ok: true
      readonly path: string
      readonly relative: string
      /** There was no file before. */
      readonly created: boolean
      /** How many other names the old file had: hard links, which keep the old content. */
      readonly otherLinks: number
      readonly version: string
    }
  | PathRefusal

/** A folder's entries, or why not. */
export type FolderListing =
  | {
      readonly ok: true
      readonly path: string
      readonly relative: string
      readonly entries: readonly FolderEntry[]
      /** How many there are; undefined when there are too many to count. */
      readonly total: number | undefined
    }
  | PathRefusal

/** One entry of a folder; a link is not followed. */
export interface FolderEntry {
  readonly name: string
  readonly kind: 'file' | 'directory' | 'link' | 'other'
}

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
