/** Programs that run in the background, in the workspace; none outlives amber (contract LED-4, SAFE-6). */
export interface JobsService {
  /** Starts a command. The error says why it could not be. */
  start(request: JobRequest): Promise<{ readonly ok: true; readonly id: string } | JobError>
  /** What it printed since the last reading, or all that is kept of it; and how it stands. */
  read(id: string, options?: { readonly all?: boolean }): Promise<JobReading | JobError>
  /** Ends it with everything that it started, and answers what was not read yet. */
  stop(id: string): Promise<JobReading | JobError>
  /** Every job of this run, oldest first. */
  list(): Promise<readonly JobState[]>
}

/** A command to run in the background. */
export interface JobRequest {
  readonly command: string
  /** Seconds after which it is ended. */
  readonly timeoutSeconds: number
  /** Seconds without output after which it is ended; 0 for never. */
  readonly idleSeconds: number
  /** A folder inside the workspace; its root unless said. */
  readonly cwd?: string
}

/** Why a job could not be had. */
export interface JobError {
  readonly ok: false
  readonly error: string
}

/** How a job stands. */
export interface JobState {
  readonly id: string
  readonly command: string
  /** `ended`: by itself; the others say who ended it. */
  readonly state: 'running' | 'ended' | 'stopped' | 'timeout' | 'idle'
  readonly exitCode: number | undefined
  readonly signal: string | undefined
  readonly ranSeconds: number
  /** Seconds until it is ended; undefined when it does not run. */
  readonly secondsLeft: number | undefined
  /** Seconds until it is ended for want of output; undefined when it is not. */
  readonly idleSecondsLeft: number | undefined
}

/** Output of a job and how it stands. */
export interface JobReading extends JobState {
  readonly ok: true
  /** At most 60 KiB; invalid UTF-8 is replaced. */
  readonly output: string
  /** Bytes that came and are not shown: too much at once, or too long ago. */
  readonly leftOutBytes: number
}
