import { messageOf } from '../base/errors.ts'

/** What the process guard asks and tells. */
export interface ProcessGuardDeps {
  /** Takes a stray exception for a plugin's and reports it as that; false when it is nobody's. */
  readonly claim: (thrown: unknown) => boolean
  /** Whose code runs now; undefined: amber's own, or that of a plugin it ships. */
  readonly running: () => string | undefined
  readonly onNotice: (message: string) => void
}

type ExceptionListener = NodeJS.UncaughtExceptionListener

/**
 * Keeps one plugin's stray rejection or exception, or its wish to exit, from ending the process (LED-9). It stands
 * before whoever else listens for uncaught exceptions: they hear only of what is no plugin's, and without any the
 * process ends as Node.js would end it. The answer puts everything back.
 */
export function guardProcess(deps: ProcessGuardDeps): () => void {
  const others: readonly ExceptionListener[] = process.listeners('uncaughtException')
  for (const other of others) process.removeListener('uncaughtException', other)

  const onException: ExceptionListener = (thrown, origin) => {
    if (deps.claim(thrown)) return
    if (isForeign(thrown)) {
      deps.onNotice(`Something that a plugin left behind failed: ${messageOf(thrown)}`)
      return
    }
    if (others.length > 0) {
      for (const other of others) other(thrown, origin)
      return
    }
    process.removeListener('uncaughtException', onException)
    throw thrown
  }
  const onRejection = (reason: unknown) =>
    onException(reason instanceof Error ? reason : Object(reason), 'unhandledRejection')
  process.on('unhandledRejection', onRejection)
  process.on('uncaughtException', onException)
  const restoreExit = guardExit(deps.running)
  return () => {
    restoreExit()
    process.removeListener('unhandledRejection', onRejection)
    process.removeListener('uncaughtException', onException)
    for (const other of others) process.on('uncaughtException', other)
  }
}

/**
 * Whether no line of the stack is a file's: what a stream, a socket or a promise of Node's own threw with nobody
 * listening. Amber's own code awaits and listens; that it shows in no line of the stack says that it was not amber.
 */
function isForeign(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return true
  const frames = String(thrown.stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
  return frames.every(
    (line) => line.includes('node:') || line.includes('<anonymous>') || line.includes('native'),
  )
}

/** The real `process.exit`, reached past the one that a plugin is given, refuses a plugin all the same. */
function guardExit(running: () => string | undefined): () => void {
  const names = ['exit', 'reallyExit', 'abort'] as const
  const undo = names.map((name) => {
    const original: unknown = Reflect.get(process, name)
    Reflect.set(process, name, (...args: unknown[]) => {
      const plugin = running()
      if (plugin !== undefined)
        throw new Error(`process.${name}() was called: plugin ${plugin} cannot end amber`)
      return typeof original === 'function' ? Reflect.apply(original, process, args) : undefined
    })
    return () => Reflect.set(process, name, original)
  })
  return () => {
    for (const one of undo) one()
  }
}
