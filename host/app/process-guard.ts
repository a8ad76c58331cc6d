import { messageOf } from '../base/errors.ts'

/** What the process guard asks and tells. */
export interface ProcessGuardDeps {
  /** Takes a stray exception for a plugin's and reports it as that; false when it is nobody's. */
  readonly claim: (thrown: unknown) => boolean
  readonly onNotice: (message: string) => void
}

/**
 * Keeps one plugin's stray rejection or exception from ending the process (LED-9). What is no plugin's goes to whoever
 * else listens, and without one ends the process as Node.js would.
 */
export function guardProcess(deps: ProcessGuardDeps): () => void {
  const onRejection = (reason: unknown) => {
    if (deps.claim(reason)) return
    // A reason without a stack cannot be traced to anybody; amber's own code rejects with errors alone.
    if (!(reason instanceof Error)) {
      deps.onNotice(`A promise was rejected and nobody listened: ${messageOf(reason)}`)
      return
    }
    throw reason
  }
  const onException = (thrown: unknown) => {
    if (deps.claim(thrown) || process.listenerCount('uncaughtException') > 1) return
    process.removeListener('uncaughtException', onException)
    throw thrown
  }
  process.on('unhandledRejection', onRejection)
  process.on('uncaughtException', onException)
  return () => {
    process.removeListener('unhandledRejection', onRejection)
    process.removeListener('uncaughtException', onException)
  }
}
