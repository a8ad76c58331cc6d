// Made from plugin.json by amber. Do not edit: `amber plugin types` and `amber dev` write it anew.
/** The tools that run programs in the background: servers, watchers, long builds. */
export interface ToolProcess {
  tools: {
    /** Starts a command of the shell in the background and answers the job's id at once. It has no standard input and no terminal, and ends with amber at the latest. */
    "process_start": { arguments: ProcessStartArguments; approval: "always" }
    /** Answers what a job has printed since it was last read, and whether it still runs. */
    "process_read": { arguments: ProcessReadArguments; approval: "never" }
    /** Ends a job with everything that it started, and answers the rest of its output. */
    "process_stop": { arguments: ProcessStopArguments; approval: "always" }
  }
  promptBlocks: never
  statusSegments: never
  panels: never
  commands: {}
  providers: {}
  wallets: never
  allowances: never
  searchBackends: never
  skills: never
  events: false
}

/**
 * Arguments of the tool process_start.
 */
export interface ProcessStartArguments {
/**
 * The command, as bash reads it.
 */
command: string
/**
 * Seconds after which it is ended. Default: 600.
 */
timeout?: number
/**
 * Seconds without output after which it is ended; 0 for never. Default: 30.
 */
idle_timeout?: number
/**
 * The folder to run in, inside the workspace. Default: its root.
 */
cwd?: string
}

/**
 * Arguments of the tool process_read.
 */
export interface ProcessReadArguments {
/**
 * The job, as process_start named it.
 */
id: string
/**
 * Everything that is kept of its output, not the new part alone. Default: false.
 */
all?: boolean
}

/**
 * Arguments of the tool process_stop.
 */
export interface ProcessStopArguments {
/**
 * The job, as process_start named it.
 */
id: string
}
