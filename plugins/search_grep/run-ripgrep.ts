import { type ChildProcess, spawn } from 'node:child_process'
import { relative, sep } from 'node:path'
import type { SearchAnswer, SearchQuery } from 'amber-agent/sdk'
import { isInGit } from './find-git.ts'
import { createGlobFilter, type GlobFilter } from './glob-filter.ts'
import { createHitCollector, type HitCollector } from './hit-collector.ts'
import type { SearchLimits } from './limits.ts'
import { createLineSplitter } from './line-splitter.ts'
import { windowOf } from './line-window.ts'
import { CANCELLED, invalidPattern, notesOf, type Stop } from './outcome.ts'
import { ripgrepArguments } from './ripgrep-arguments.ts'
import { readRipgrepMessage } from './ripgrep-message.ts'

/** An answer, or the word that ripgrep does not run on this machine. */
export type RipgrepRun =
  | { readonly kind: 'answered'; readonly answer: SearchAnswer }
  | { readonly kind: 'will-not-start'; readonly why: string }

/** Bytes of standard error that are kept. */
const STDERR_BYTES = 8192

/** Runs ripgrep once. The child is gone when this settles; cancelling kills it at once. */
export async function runRipgrep(
  binary: string,
  query: SearchQuery,
  context: { readonly signal: AbortSignal; readonly limits: SearchLimits },
): Promise<RipgrepRun> {
  const inGit = await isInGit(query.root)
  if (context.signal.aborted) return answered(CANCELLED)
  const child = spawn(binary, ripgrepArguments(query, { inGit }), {
    cwd: query.root,
    env: childEnvironment(process.env),
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  })
  const reading = readOutput(child, query, context.limits)
  const stopped = watch(child, reading, context)
  const exit = await ended(child)
  return settle(query, { reading, exit, stopped: stopped() })
}

/** What the child needs to start; nothing of amber's own, and no keys (contract SAFE-6). */
function childEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const names = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'LC_ALL', 'SystemRoot', 'TEMP']
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))
}

/** What is read while the child runs. */
interface Reading {
  readonly collector: HitCollector
  readonly filter: GlobFilter
  stderr: string
  summary: boolean
  tooLong: number
  askedIsBinary: boolean
  /** Called when enough was gathered. */
  onFull: () => void
}

function readOutput(child: ChildProcess, query: SearchQuery, limits: SearchLimits): Reading {
  const reading: Reading = {
    collector: createHitCollector(limits.hits),
    filter: createGlobFilter(query.glob),
    stderr: '',
    summary: false,
    tooLong: 0,
    askedIsBinary: false,
    onFull: () => {},
  }
  const splitter = createLineSplitter({
    maxBytes: limits.messageBytes,
    line: (bytes) => takeMessage(bytes, query, reading),
    tooLong: () => {
      reading.tooLong += 1
    },
  })
  child.stdout?.on('data', (chunk: Buffer) => splitter.push(chunk))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    if (reading.stderr.length < STDERR_BYTES) reading.stderr += text.slice(0, STDERR_BYTES)
  })
  return reading
}

function takeMessage(bytes: Buffer, query: SearchQuery, reading: Reading): void {
  const message = readRipgrepMessage(bytes)
  if (message === undefined || reading.collector.full) return
  if (message.type === 'summary') {
    reading.summary = true
    return
  }
  const path = relative(query.root, message.path).split(sep).join('/')
  if (message.type === 'end') {
    reading.collector.endFile(path, { binary: message.binary })
    if (message.binary && message.path === query.path) reading.askedIsBinary = true
    return
  }
  // A file that was named is searched whatever the glob says.
  if (message.path !== query.path && !reading.filter(path)) return
  reading.collector.add({ path, line: message.line, text: windowOf(message.bytes, message.start) })
  if (reading.collector.full) reading.onFull()
}

/** Kills the child when it is cancelled, out of time, or has given enough; answers which. */
function watch(
  child: ChildProcess,
  reading: Reading,
  context: { readonly signal: AbortSignal; readonly limits: SearchLimits },
): () => Stop | undefined {
  let stopped: Stop | undefined
  const stop = (why: Stop) => {
    stopped ??= why
    child.kill('SIGKILL')
  }
  const cancel = () => stop('cancelled')
  const timer = setTimeout(() => stop('time'), context.limits.timeMs)
  reading.onFull = () => stop('full')
  context.signal.addEventListener('abort', cancel, { once: true })
  const clear = () => {
    clearTimeout(timer)
    context.signal.removeEventListener('abort', cancel)
  }
  child.once('close', clear)
  child.once('error', clear)
  return () => stopped
}

type Exit =
  | { readonly code: number | null; readonly signal: NodeJS.Signals | null }
  | { readonly error: Error }

function ended(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ error }))
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
}

function settle(
  query: SearchQuery,
  run: { readonly reading: Reading; readonly exit: Exit; readonly stopped: Stop | undefined },
): RipgrepRun {
  const { reading, exit, stopped } = run
  if (stopped === 'cancelled') return answered(CANCELLED)
  if ('error' in exit) return { kind: 'will-not-start', why: exit.error.message }
  if (stopped === undefined && !reading.summary) return explainFailure(query, reading.stderr, exit)
  const notes = notesOf(stopped, {
    lines: reading.tooLong,
    askedIsBinary: reading.askedIsBinary,
    unreadable: reading.stderr ? reading.stderr.trim().split('\n').length : 0,
  })
  return answered(reading.collector.answer(query.max, { complete: stopped === undefined, notes }))
}

/** Without a summary there was no search: a pattern that does not compile, or a program that does not run. */
function explainFailure(
  query: SearchQuery,
  stderr: string,
  exit: { readonly code: number | null; readonly signal: NodeJS.Signals | null },
): RipgrepRun {
  const said = stderr.trim().replace(/^rg: /, '')
  if (exit.code !== 2 || !said) {
    return { kind: 'will-not-start', why: said || `it ended with ${exit.signal ?? `code ${exit.code}`}` }
  }
  if (!/regex|pattern|literal/.test(said)) return answered({ ok: false, error: `The search failed: ${said}` })
  const reason = /^error: (.*)$/m.exec(said)?.[1] ?? said
  return answered(invalidPattern(query.pattern, reason))
}

function answered(answer: SearchAnswer): RipgrepRun {
  return { kind: 'answered', answer }
}
