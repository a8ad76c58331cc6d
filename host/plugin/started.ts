import { descendantsOf } from './descendants.ts'

/** How long a child may take to follow a polite request, in milliseconds. */
const KILL_AFTER_MS = 1_000

/** Ends a child with everything below it: politely, then for certain. */
export function endChild(started: unknown): void {
  if (typeof started !== 'object' || started === null) return
  if (Reflect.get(started, 'exitCode') !== null || Reflect.get(started, 'signalCode') !== null) return
  const pid: unknown = Reflect.get(started, 'pid')
  const below = typeof pid === 'number' ? descendantsOf(pid) : []
  call(started, 'kill', 'SIGTERM')
  for (const one of below) signal(one, 'SIGTERM')
  setTimeout(() => {
    call(started, 'kill', 'SIGKILL')
    for (const one of below) signal(one, 'SIGKILL')
  }, KILL_AFTER_MS).unref()
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It is gone already.
  }
}

/** Closes a server and every connection to it. */
export function endServer(started: unknown): void {
  call(started, 'close')
  call(started, 'closeAllConnections')
}

/** Ends a request or a connection. */
export function endStream(started: unknown): void {
  // Destroying a request emits an error that nobody of a retired version listens for.
  call(started, 'on', 'error', () => {})
  call(started, 'destroy')
}

/** Closes a datagram socket. */
export function endSocket(started: unknown): void {
  call(started, 'close')
}

/** Closes a file watcher. */
export function endWatcher(started: unknown): void {
  call(started, 'close')
}

function call(target: unknown, method: string, ...args: unknown[]): void {
  if (typeof target !== 'object' || target === null) return
  const member: unknown = Reflect.get(target, method)
  if (typeof member === 'function') Reflect.apply(member, target, args)
}
