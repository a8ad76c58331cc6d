import { messageOf } from '../base/errors.ts'

/** What the process guard asks and tells. */
export interface ProcessGuardDeps {
  /** Takes a stray exception for a plugin's and reports it as that; false when it is nobody's. */
  readonly claim: (thrown: unknown) => boolean
  readonly onNotice: (message: string) => void
}

type ExceptionListener = NodeJS.UncaughtExceptionListener

/**
 * Keeps one plugin's stray rejection or exception from ending the process (LED-9). It stands before whoever else
 * listens for uncaught exceptions: they hear only of what is no plugin's, and without any the process ends as Node.js
 * would end it. The answer puts everything back.
 */
export function guardProcess(deps: ProcessGuardDeps): () => void {
  const others: readonly ExceptionListener[] = process.listeners('uncaughtException')
  for (const other of others) process.removeListener('uncaughtException', other)

  const onException: ExceptionListener = (thrown, origin) => {
    if (deps.claim(thrown)) return
    if (others.length > 0) {
      for (const other of others) other(thrown, origin)
      return
    }
    process.removeListener('uncaughtException', onException)
    throw thrown
  }
  const onRejection = (reason: unknown) => {
    if (deps.claim(reason)) return
    // A reason without a stack cannot be traced to anybody; amber's own code rejects with errors alone.
    if (reason instanceof Error) throw reason
    deps.onNotice(`A promise was rejected and nobody listened: ${messageOf(reason)}`)
  }
  process.on('unhandledRejection', onRejection)
  process.on('uncaughtException', onException)
  return () => {
    process.removeListener('unhandledRejection', onRejection)
    process.removeListener('uncaughtException', onException)
    for (const other of others) process.on('uncaughtException', other)
  }
}
