import { createContext, Script } from 'node:vm'

const script = new Script('run()')

/** What came of a bounded run. */
export type Bounded<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false }

/**
 * Runs something synchronous that may never end (a pattern of somebody else's, references that multiply) and stops it
 * after `ms` milliseconds; `ok: false` then. What it throws is thrown on. Costs about a millisecond.
 */
export function runBounded<Value>(run: () => Value, ms: number): Bounded<Value> {
  let value: { readonly value: Value } | undefined
  const context = createContext({
    run: () => {
      value = { value: run() }
    },
  })
  try {
    script.runInContext(context, { timeout: ms })
  } catch (thrown) {
    if (isTimeout(thrown)) return { ok: false }
    throw thrown
  }
  return value === undefined ? { ok: false } : { ok: true, value: value.value }
}

function isTimeout(thrown: unknown): boolean {
  return (
    typeof thrown === 'object' &&
    thrown !== null &&
    'code' in thrown &&
    thrown.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  )
}
