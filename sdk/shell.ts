/** Runs commands of the shell in the workspace, and says beforehand what they would do (contract SAFE-3, SAFE-6). */
export interface ShellService {
  /** Judges a command part by part, by a grammar; what cannot be parsed needs approval. */
  judge(command: string): Promise<ShellJudgement>
  /**
   * Runs a command in a process group of its own: no standard input, no terminal, both outputs merged in order, and an
   * environment without amber's keys. Answers when the command itself ends, even if it left a program running.
   */
  run(request: ShellRequest, call: ShellCall): Promise<ShellRun>
}

/** What a command would do. */
export interface ShellJudgement {
  /** `write` changes files of the workspace alone; `outside` touches what is not in it. */
  readonly effect: 'read-only' | 'write' | 'unknown' | 'outside' | 'destructive'
  readonly needsApproval: boolean
  /** What a rule would have to allow, one for each part that asks: `git push`. */
  readonly scopes: readonly string[]
  /** For the person who is asked: `destructive (git push)`. */
  readonly reason: string
}

/** A command to run. */
export interface ShellRequest {
  readonly command: string
  /** Seconds without any output after which it is ended. */
  readonly idleSeconds: number
  /** Ends what the command leaves running, when it aborts; without it that lives as long as amber. */
  readonly until?: AbortSignal
}

/** The running command. */
export interface ShellCall {
  /** Ends the command and everything that it started. */
  readonly signal: AbortSignal
  /** Hears of the newest line of output, now and then. */
  onLine?(line: string): void
}

/** How a command ended. */
export interface ShellRun {
  /** Undefined when a signal ended it, or when it could not be started. */
  readonly exitCode: number | undefined
  readonly signal: string | undefined
  /** `idle`: it was ended for want of output; `cancelled`: by the call's signal; `failed`: it could not be started. */
  readonly end: 'exited' | 'idle' | 'cancelled' | 'failed'
  /** The beginning and the end of what it printed, in at most 60 KiB; invalid UTF-8 is replaced. */
  readonly output: string
  /** Bytes that it printed, whatever was kept of them. */
  readonly outputBytes: number
  /** Bytes that are not in `output`. */
  readonly leftOutBytes: number
  /** Places that were not UTF-8 text. */
  readonly replaced: number
  readonly durationMs: number
  /** What the user or the model should know: a program that still runs, a folder that was gone. */
  readonly notices: readonly string[]
}
