import type {
  AccountContext,
  Allowance,
  EventName,
  HostEvents,
  HostServices,
  InterceptedEvents,
  Money,
  SearchAnswer,
  StatusSnapshot,
  StatusText,
  ToolResult,
} from '../../sdk/index.ts'

/** How a test's host is made. Everything has a default. */
export interface TestHostOptions {
  /** A folder that is the workspace; a temporary one unless said. Nothing else is written into it. */
  readonly workspace?: string
  /** Services laid over those that the host has (`workspace`, `search`); undefined takes one away. */
  readonly services?: { readonly [Name in keyof HostServices]?: HostServices[Name] | undefined }
  /** What the plugin's questions to the user are answered with; without it they fail closed, as headless. */
  readonly answers?: TestAnswers
  /** Where the fake clock stands at first, milliseconds since 1970; 0 unless said. */
  readonly now?: number
}

/** What the user answers in a test. */
export interface TestAnswers {
  confirm?(question: string): boolean
  choose?(question: string, choices: readonly string[]): string | undefined
  askText?(question: string): string | undefined
  askSecret?(question: string): string | undefined
}

/** A real host with real lifecycle, in temporary folders and without a terminal, a model or bundled plugins. */
export interface TestHost {
  /** Time as plugins see it: `host.every` runs when it is advanced. */
  readonly clock: TestClock
  /**
   * Installs a plugin, as `amber --plugin` would, and loads its code. Takes the plugin's folder or any file in it, as
   * path or URL: `install(import.meta.url)` installs the plugin that a test lies beside. Rejects with every finding
   * drawn over its line when the plugin is not usable.
   */
  install(plugin: string | URL): Promise<TestPlugin>
  /**
   * Calls a tool past interceptors, validation and approval, and gives the answer as amber shapes it: capped, and an
   * error in place of a throw. A call that needs approval is denied unless `approve`.
   */
  callTool(
    name: string,
    args?: unknown,
    options?: { readonly approve?: boolean; readonly signal?: AbortSignal },
  ): Promise<ToolResult>
  /** Runs a slash command's line, with or without its slash. */
  runCommand(line: string): Promise<{ readonly ok: boolean; readonly text: string }>
  /** Renders the status segments that show something, in order; what is not given of the snapshot is plain. */
  renderStatus(snapshot?: Partial<StatusSnapshot>): readonly TestSegment[]
  /** A panel by its id. Throws when there is none. */
  panel(id: string): TestPanel
  /** The prompt blocks that contribute a text, in the order in which they are sent. */
  promptBlocks(): Promise<readonly TestPromptBlock[]>
  /** A skill's text. Rejects when there is none, or when it fails. */
  readSkill(name: string): Promise<string>
  /** Searches the workspace through the enabled backend of a mode. */
  search(mode: string, pattern: string, options?: { readonly max?: number }): Promise<SearchAnswer>
  /** A provider's balance; `get` answers for the network. Undefined where nothing honest is known. */
  balance(provider: string, account: TestAccount): Promise<readonly Money[] | undefined>
  /** A provider's quota windows; `get` answers for the network. Undefined where nothing honest is known. */
  allowance(provider: string, account: TestAccount): Promise<Allowance | undefined>
  /** The provider presets that are installed. */
  providers(): readonly TestPreset[]
  /** Every contribution and how it stands. */
  ledger(): readonly TestLedgerEntry[]
  /** Tells an event to whoever listens, and waits for nobody. */
  publish<Name extends EventName>(name: Name, event: HostEvents[Name]): void
  /** Offers an event to its interceptors, and says what they made of it. */
  intercept<Name extends keyof InterceptedEvents>(
    name: Name,
    event: HostEvents[Name],
  ): Promise<
    | { readonly vetoed: false; readonly event: HostEvents[Name] }
    | { readonly vetoed: true; readonly reason: string }
  >
  /** Faults and findings so far, oldest first. */
  diagnostics(): readonly TestDiagnostic[]
  /** What plugins logged and notified, oldest first: `warn weather: …`. */
  log(): readonly string[]
  /** Swaps in the newest state of a plugin's files, as a save in `amber dev` would. Without an id: the last installed. */
  swap(plugin?: string): Promise<TestSwap>
  /** Removes every plugin, last come first gone, and throws when anything of one is left (contract LED-4). */
  assertCleanRemoval(): Promise<void>
  /**
   * Swaps each plugin for itself, and throws when the version before cannot be collected: what keeps it is named (a
   * timer, a listener, a socket, a global) as far as it can be known (contract SWAP-9).
   */
  assertNoLeak(): Promise<void>
  /** Ends the host and deletes its folders. */
  dispose(): Promise<void>
}

/** Time as plugins see it. */
export interface TestClock {
  /** Milliseconds since 1970. */
  now(): number
  /** Moves time on and runs what falls due, in order. */
  advance(ms: number): void
  /** Timers that wait. */
  pending(): number
}

/** An installed plugin. */
export interface TestPlugin {
  readonly id: string
  readonly version: string
  readonly state: string
  /** Counts its versions in this host, from 1. */
  readonly generation: number
}

/** What a status segment shows. */
export interface TestSegment extends StatusText {
  readonly name: string
  readonly edge: 'left' | 'right'
}

/** A panel as a screen would use it. */
export interface TestPanel {
  readonly title: string
  /** Its lines at a width of so many columns; 80 unless said. Throws what the panel's code threw. */
  lines(width?: number): readonly string[]
  /** Presses a key; true: the panel handled it. */
  press(key: string): boolean
}

/** A prompt block with its text. */
export interface TestPromptBlock {
  readonly name: string
  readonly placement: 'system' | 'head' | 'tail'
  readonly text: string
}

/** What a wallet or allowance fetch gets. */
export interface TestAccount extends Partial<Pick<AccountContext, 'apiKey' | 'apiBase'>> {
  /** Answers for the network: the parsed JSON of a URL, or undefined. */
  readonly get: (url: string) => unknown
}

/** A provider preset. */
export interface TestPreset {
  readonly name: string
  readonly flavor: string
  /** Undefined when the provider starts a server of its own. */
  readonly apiBase: string | undefined
  readonly defaultModel: string
  readonly requiresKey: boolean
}

/** One line of the ledger. */
export interface TestLedgerEntry {
  readonly plugin: string
  readonly kind: string
  readonly name: string
  readonly generation: number
  readonly status: 'installed' | 'declined' | 'failed'
  readonly reason?: string
}

/** One finding. Lines and columns from 1. */
export interface TestDiagnostic {
  readonly severity: 'error' | 'warning'
  readonly code: string
  readonly file: string
  readonly line: number
  readonly column: number
  readonly path: string
  readonly message: string
  readonly hint?: string
}

/** What came of a swap; a rejected one has left the last good version live. */
export type TestSwap =
  | { readonly kind: 'unchanged' | 'removed'; readonly plugin: string }
  | {
      readonly kind: 'swapped'
      readonly plugin: string
      readonly generation: number
      readonly changed: readonly {
        readonly kind: string
        readonly name: string
        readonly change: 'added' | 'changed' | 'removed'
      }[]
    }
  | { readonly kind: 'rejected'; readonly plugin: string; readonly diagnostics: readonly TestDiagnostic[] }
