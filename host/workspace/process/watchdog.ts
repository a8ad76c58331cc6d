import { type ChildProcess, spawn } from 'node:child_process'

/** Ends process groups when amber is gone, however it went (contract LED-4). */
export interface Watchdog {
  /** From here on the group is ended with amber. Synchronous: it counts from the moment of the call. */
  guard(group: number): void
  /** The group has no process any more. */
  release(group: number): void
  /** Ends the watchdog, and what it still guards. */
  close(): void
}

/**
 * Reads `+GROUP` and `-GROUP` lines; its input ends when amber does, for the system closes a dead process's pipes. Then
 * it ends what is left. It has a session of its own, so that no terminal's signal reaches it.
 */
const SCRIPT = `trap '' INT TERM HUP QUIT PIPE
groups=
while IFS= read -r line; do
  group=\${line#?}
  case $line in
    +*) groups="$groups $group" ;;
    -*) left=
      for one in $groups; do [ "$one" = "$group" ] || left="$left $one"; done
      groups=$left ;;
  esac
done
[ -n "$groups" ] || exit 0
for one in $groups; do kill -s TERM -- "-$one" 2>/dev/null; done
sleep 0.2 2>/dev/null || sleep 1
for one in $groups; do kill -s KILL -- "-$one" 2>/dev/null; done
exit 0`

/** Makes a watchdog; its process is started with the first group. */
export function createWatchdog(): Watchdog {
  let child: ChildProcess | undefined
  const start = () => {
    const started = spawn('/bin/sh', ['-c', SCRIPT], {
      detached: true,
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    started.unref()
    started.on('error', () => undefined)
    // A pipe that broke means that somebody ended the watchdog: the next group gets a new one.
    started.stdin?.on('error', () => {
      if (child === started) child = undefined
    })
    if (started.stdin !== null && 'unref' in started.stdin && typeof started.stdin.unref === 'function')
      started.stdin.unref()
    return started
  }
  const say = (line: string) => {
    if (child === undefined || child.exitCode !== null) child = start()
    child.stdin?.write(`${line}\n`)
  }
  return {
    guard: (group) => say(`+${group}`),
    release(group) {
      if (child !== undefined) say(`-${group}`)
    },
    close() {
      child?.stdin?.end()
      child = undefined
    },
  }
}
