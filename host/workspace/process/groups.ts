import type { Clock } from '../../base/clock.ts'
import { type ChildGroup, findShell, type GroupRequest, type Shell, startGroup } from './child-group.ts'
import type { Environment } from './environment.ts'
import { createWatchdog } from './watchdog.ts'

/** Every process group of this amber: what shutting down ends. */
export interface Groups {
  readonly shell: Shell
  /** Starts a command; undefined when amber is shutting down. */
  start(request: Omit<GroupRequest, 'shell'>): ChildGroup | undefined
  /** Ends every group, and takes no new one. Never rejects. */
  close(): Promise<void>
}

/** Makes the set. No process is started before the first command. */
export function createGroups(deps: { readonly clock: Clock; readonly env: Environment }): Groups {
  const watchdog = createWatchdog()
  const open = new Set<ChildGroup>()
  const shell = findShell(deps.env)
  let closed = false
  const forgetGone = () => {
    for (const group of open) if (!group.isAlive()) open.delete(group)
  }
  return {
    shell,
    start(request) {
      if (closed) return undefined
      forgetGone()
      const group = startGroup({ clock: deps.clock, watchdog }, { ...request, shell })
      open.add(group)
      void group.ended.then(forgetGone)
      return group
    },
    async close() {
      closed = true
      await Promise.all([...open].map((group) => group.end()))
      open.clear()
      watchdog.close()
    },
  }
}
