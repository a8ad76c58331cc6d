/** What a command's handler receives (contract CMD-2). */
export interface CommandArgument {
  /** Everything after the path, trimmed. */
  readonly text: string
  /** The same, split at blanks; quotes hold words together. */
  readonly words: readonly string[]
  /** Aborted when the user cancels the command. */
  readonly signal: AbortSignal
}

/** Returns the text to show; the host prints it (CMD-2). */
export type CommandHandler = (argument: CommandArgument) => string | Promise<string>
