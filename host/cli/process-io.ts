import { fstatSync, statSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { isatty } from 'node:tty'
import type { Dispose } from '../base/disposable.ts'
import { once } from '../base/disposable.ts'
import { AmberError, systemCode } from '../base/errors.ts'
import type { Output } from '../headless/output.ts'
import type { Io, StandardInput } from './io.ts'
import { failOnLostOutput } from './output-failure.ts'

/** The process's own streams, signals and environment. `exit` ends it at once. */
export function createProcessIo(exit: (code: number) => void): Io {
  const closed = new AbortController()
  const out = toOutput(process.stdout, process.stdout.isTTY === true, () => closed.abort())
  const err = toOutput(process.stderr, process.stderr.isTTY === true, () => {})
  const kind = inputKind()
  failOnLostOutput(process.stdout, process)
  return {
    out,
    err,
    stdin: { kind, stream: () => process.stdin },
    terminal: kind === 'terminal' && out.isTTY ? { input: process.stdin, output: process.stdout } : undefined,
    env: process.env,
    get cwd() {
      return currentFolder()
    },
    closed: closed.signal,
    onInterrupt: (handler) => onInterrupt(handler, exit),
  }
}

/** Resolves when everything written so far has left the process. */
export async function flush(): Promise<void> {
  await Promise.all([process.stdout, process.stderr].map(drained))
}

function drained(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed || stream.writableLength === 0) resolve()
    else stream.write('', () => resolve())
  })
}

function toOutput(stream: Writable, isTTY: boolean, onGone: () => void): Output {
  let gone = false
  stream.on('error', (error) => {
    // A reader that has what it wanted closes the pipe: that is no error (H2).
    gone = true
    if (systemCode(error) === 'EPIPE') onGone()
  })
  return {
    isTTY,
    write(text) {
      if (!gone) stream.write(text)
    },
  }
}

/** Asked for when it is needed: help and version need none, and it may have been deleted under the shell. */
function currentFolder(): string {
  try {
    return process.cwd()
  } catch (thrown) {
    throw new AmberError(
      'configuration',
      'The folder that this shell stands in is gone.',
      'Change to one that is there, for example: cd ~',
      thrown,
    )
  }
}

function inputKind(): StandardInput['kind'] {
  // Asked of the system: process.stdin would load everything that reading takes, which most runs never do.
  try {
    const stat = fstatSync(0)
    if (stat.isCharacterDevice()) return !isNullDevice(stat.rdev) && isatty(0) ? 'terminal' : 'none'
    if (stat.isFIFO()) return 'pipe'
    if (stat.isSocket()) return 'socket'
    return stat.isFile() ? 'file' : 'none'
  } catch {
    return 'none'
  }
}

/** Whether this is `/dev/null`, which most programs give to what they start. */
function isNullDevice(device: number): boolean {
  return statSync('/dev/null', { throwIfNoEntry: false })?.rdev === device
}

/** The second signal ends the process even if the handler does nothing. */
function onInterrupt(handler: () => void, exit: (code: number) => void): Dispose {
  let count = 0
  const listener = () => {
    if (++count > 1) exit(130)
    else handler()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, listener)
  return once(() => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, listener)
  })
}
