import type { TestContext } from 'node:test'
import { systemClock } from '../../host/base/clock.ts'
import { createGroups, type Groups } from '../../host/workspace/process/groups.ts'
import { createShellService } from '../../host/workspace/process/shell-service.ts'
import type { ShellRun, ShellService } from '../../sdk/index.ts'
import { atEnd } from './at-end.ts'
import { createTempTree, type TreeEntry } from './temp-tree.ts'

/** A shell service in a temporary workspace, with real processes that end with the test. */
export interface ShellFixture {
  readonly root: string
  readonly groups: Groups
  readonly shell: ShellService
  run(
    command: string,
    options?: { readonly idleSeconds?: number; readonly signal?: AbortSignal },
  ): Promise<ShellRun>
}

/** Makes one. */
export async function createShellFixture(
  t: TestContext,
  entries: Readonly<Record<string, TreeEntry>> = {},
  env: (root: string) => Readonly<Record<string, string | undefined>> = () => ({}),
): Promise<ShellFixture> {
  const root = await createTempTree(t, entries)
  const { PATH, HOME } = process.env
  const all = { PATH, HOME, ...env(root) }
  const groups = createGroups({ clock: systemClock, env: all })
  atEnd(t, () => groups.close())
  const shell = createShellService({
    clock: systemClock,
    groups,
    root: async () => root,
    env: all,
    keyNames: async () => ['ACME_SECRET'],
  })
  return {
    root,
    groups,
    shell,
    run: (command, { idleSeconds = 30, signal = new AbortController().signal } = {}) =>
      shell.run({ command, idleSeconds }, { signal }),
  }
}
