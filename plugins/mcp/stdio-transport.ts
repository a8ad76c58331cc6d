import { type ChildProcess, spawn } from 'node:child_process'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js'
import { createLines } from './lines.ts'

/** The program to start. */
export interface Program {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
}

/** Bytes of one message; a longer line is no message. */
const LONGEST_MESSAGE = 32 * 1024 * 1024

/** How long an end is waited for, after its input is closed and after it is asked to end. Milliseconds. */
const PATIENCE_MS = 500

/** Who hears of the program. */
export interface ProgramWatch {
  /** A line that is no message. */
  noise(line: string): void
  /** Ends its process group with amber; the answer is for one that ended by itself. */
  guard(group: number): () => void
}

/** A transport over the standard streams of a program; `ended` is why it ended, in words. */
export interface StdioTransport extends Transport {
  readonly ended: string | undefined
}

/**
 * Starts a program in a process group of its own and talks to it line by line. Whatever is no message, on either
 * stream, is noise and breaks nothing (M1).
 */
export function createStdioTransport(program: Program, { noise, guard }: ProgramWatch): StdioTransport {
  let child: ChildProcess | undefined
  let ended: string | undefined
  let gone: Promise<void> = Promise.resolve()

  const transport: StdioTransport = {
    get ended() {
      return ended
    },
    start() {
      const { command, args, env, cwd } = program
      const started = spawn(command, [...args], {
        cwd,
        env,
        detached: true,
        stdio: ['pipe', 'pipe', 'pipe'],
      })
      child = started
      const take = (line: string) => {
        const message = readMessage(line)
        if (message) transport.onmessage?.(message)
        else noise(line)
      }
      const out = createLines(take, LONGEST_MESSAGE)
      const err = createLines(noise, 4096)
      started.stdout?.on('data', (bytes: Buffer) => out.add(bytes))
      started.stderr?.on('data', (bytes: Buffer) => err.add(bytes))
      // A program that ends while it is written to is told by its end.
      started.stdin?.on('error', () => {})
      gone = new Promise((resolve) => started.once('close', () => resolve()))
      const release = started.pid === undefined ? () => {} : guard(started.pid)
      started.once('close', (code, signal) => {
        err.end()
        release()
        ended ??= `it ended ${signal === null ? `with exit code ${code}` : `by ${signal}`}`
        transport.onclose?.()
      })
      return new Promise((resolve, reject) => {
        started.once('spawn', resolve)
        started.once('error', (thrown) => {
          ended = `it does not start: ${thrown.message}`
          reject(new Error(ended))
        })
      })
    },
    send(message) {
      return new Promise((resolve, reject) => {
        const stdin = child?.stdin
        if (!stdin?.writable) reject(new Error(ended ?? 'it takes no input any more'))
        else stdin.write(`${JSON.stringify(message)}\n`, (fault) => (fault ? reject(fault) : resolve()))
      })
    },
    async close() {
      const { pid } = child ?? {}
      if (pid === undefined) return
      child?.stdin?.end()
      await within(gone, PATIENCE_MS)
      killGroup(pid, 'SIGTERM')
      await within(gone, PATIENCE_MS)
      killGroup(pid, 'SIGKILL')
      await within(gone, PATIENCE_MS)
    },
  }
  return transport
}

function readMessage(line: string): JSONRPCMessage | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    return JSONRPCMessageSchema.safeParse(JSON.parse(line)).data
  } catch {
    return undefined
  }
}

/** The whole group: what a wrapper like npx started, too. */
function killGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch {
    // It is gone already.
  }
}

function within(end: Promise<void>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    void end.then(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}
