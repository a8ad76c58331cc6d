import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { atEnd } from './at-end.ts'

/** A new folder that is gone when the test ends. Real path. */
export function temporaryFolder(t: TestContext): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'amber-test-')))
  atEnd(t, () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  return folder
}
