import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * The longest that a test waits for what is to happen, in milliseconds: many times what it takes, so that a busy machine
 * fails nothing, and far below what it would take if it did not work.
 */
export const PATIENCE_MS = 30_000

/** Looks until something holds that sends no event, as what another process does. */
export async function until(is: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const latest = performance.now() + PATIENCE_MS
  while (!(await is())) {
    assert.ok(performance.now() < latest, `in vain: ${what}`)
    await pause(10)
  }
}
