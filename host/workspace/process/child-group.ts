import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Clock } from '../../base/clock.ts'
import { messageOf } from '../../base/errors.ts'
import type { ShellDialect } from '../shell/parse.ts'
import type { Environment } from './environment.ts'
import { hasLiving } from './living.ts'
import type { Watchdog } from './watchdog.ts'

/** The shell that reads commands. */
export interface Shell {
  readonly path: string
  readonly dialect: ShellDialect
}

/** How a command ended. */
export interface GroupEnd {
  readonly exitCode: number | undefined
  readonly signal: string | undefined
  /** Why it could not be started. */
  readonly error?: string
}

/** A command in a process group of its own. */
export interface ChildGroup {
  /** Both outputs, in order; undefined when nothing was started. */
  readonly output: Readable | undefined
  /** Settles when the command itself ends; what it left may run on. Never rejects. */
  readonly ended: Promise<GroupEnd>
  /** Whether any process of the group is there. */
  isAlive(): boolean
  /** Asks the whole group to end, and makes it after a grace. Resolves when it is gone. */
  end(): Promise<void>
}

/** What starting needs. */
export interface GroupDeps {
  readonly clock: Clock
  readonly watchdog: Watchdog
}

/** A command to start. */
export interface GroupRequest {
  readonly command: string
  readonly folder: string
  readonly env: Environment
  readonly shell: Shell
}

/** How long a group has to end by itself before it is killed; a cancel must be over within half a second (row B11). */
const GRACE_MS = 200
const KILL_LOOK_MS = 20

/**
 * Waits for a line, so that the watchdog knows of the group before anything runs; should amber die first, the line never
 * comes. Standard output becomes a real pipe, for what stands at the other end is a socket, which nothing can open again
 * by the name of /dev/stderr. The copier at that pipe is no part of the group: it ends with the last who writes.
 */
const BASH_START = `IFS= read -r _ <&3 || exit 0; exec 3<&- > >(${existsSync('/usr/bin/setsid') ? 'exec /usr/bin/setsid cat' : 'trap "" TERM INT HUP; exec cat'}) 2>&1; exec "$0" -c "$1"`
const SH_START = 'IFS= read -r _ <&3 || exit 0; exec 3<&- 2>&1; exec "$0" -c "$1"'

/** Bash by the search path, else the system's own shell. */
export function findShell(env: Environment): Shell {
  const folders = (env.PATH ?? '').split(delimiter).filter(isAbsolute)
  const bash = [...folders, '/bin', '/usr/bin'].map((folder) => join(folder, 'bash')).find(existsSync)
  return bash === undefined ? { path: '/bin/sh', dialect: 'sh' } : { path: bash, dialect: 'bash' }
}

/** Starts a command with no input and no terminal, guarded from its first moment. Never throws. */
export function startGroup(deps: GroupDeps, request: GroupRequest): ChildGroup {
  const { shell } = request
  let child: ChildProcess
  try {
    const start = shell.dialect === 'bash' ? BASH_START : SH_START
    child = spawn(shell.path, ['-c', start, shell.path, request.command], {
      cwd: request.folder,
      env: { ...request.env },
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
    })
  } catch (thrown) {
    return notStarted(messageOf(thrown))
  }
  const ended = endOf(child)
  const { pid } = child
  if (pid === undefined) return { ...notStarted(''), ended }
  deps.watchdog.guard(pid)
  release(child)
  const isAlive = () => isGroupAlive(pid)
  void ended.then(() => {
    if (!isAlive()) deps.watchdog.release(pid)
  })
  return {
    output: child.stdout ?? undefined,
    ended,
    isAlive,
    async end() {
      await endGroup(deps.clock, pid)
      deps.watchdog.release(pid)
    },
  }
}

function notStarted(error: string): ChildGroup {
  return {
    output: undefined,
    ended: Promise.resolve({ exitCode: undefined, signal: undefined, error }),
    isAlive: () => false,
    end: async () => {},
  }
}

function endOf(child: ChildProcess): Promise<GroupEnd> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ exitCode: undefined, signal: undefined, error: error.message }))
    child.once('exit', (code, signal) =>
      resolve({ exitCode: code ?? undefined, signal: signal ?? undefined }),
    )
  })
}

/** Lets the waiting shell go. */
function release(child: ChildProcess): void {
  const line = child.stdio[3]
  if (line === null || line === undefined || !('end' in line)) return
  line.on('error', () => undefined)
  line.end('\n')
}

function isGroupAlive(pid: number): boolean {
  return signalGroup(pid, 0) && hasLiving(pid)
}

function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pid, signal)
    return true
  } catch {
    return false
  }
}

async function endGroup(clock: Clock, pid: number): Promise<void> {
  if (!signalGroup(pid, 'SIGTERM')) return
  const until = clock.monotonic() + GRACE_MS
  while (isGroupAlive(pid) && clock.monotonic() < until) await pause(clock)
  signalGroup(pid, 'SIGKILL')
  // A zombie counts as alive until its parent has looked: not for ever.
  const latest = clock.monotonic() + GRACE_MS
  while (isGroupAlive(pid) && clock.monotonic() < latest) await pause(clock)
}

function pause(clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    clock.after(KILL_LOOK_MS, resolve)
  })
}
