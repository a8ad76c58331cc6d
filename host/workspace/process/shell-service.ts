import type { ShellCall, ShellJudgement, ShellRequest, ShellRun, ShellService } from '../../../sdk/index.ts'
import type { Clock } from '../../base/clock.ts'
import { type CommandJudgement, judgeCommand } from '../shell/judge.ts'
import { exactScope } from '../shell/scope.ts'
import { childEnvironment, type Environment, neutralEnvironment } from './environment.ts'
import { type GitNeutral, neutralGit } from './git-neutral.ts'
import type { Groups } from './groups.ts'
import { runGroup } from './run-group.ts'

/** What the shell service needs. */
export interface ShellServiceDeps {
  readonly clock: Clock
  readonly groups: Groups
  /** The workspace's real path. */
  readonly root: () => Promise<string>
  readonly env: Environment
  /** The variables that providers read their keys from (SAFE-6). */
  readonly keyNames: () => Promise<Iterable<string>>
}

/** A command, judged, with what keeps it from doing more than it was judged by. */
interface Prepared {
  readonly judged: CommandJudgement
  readonly command: string
  readonly env: Environment
}

/** The service `shell` (contract SAFE-3, SAFE-6). */
export function createShellService(deps: ShellServiceDeps): ShellService {
  return {
    async judge(command) {
      return toJudgement((await prepare(deps, command)).judged)
    },
    async run(request, call) {
      return run(deps, request, call)
    },
  }
}

function toJudgement({ effect, isFree, scopes, reason }: CommandJudgement): ShellJudgement {
  return { effect, needsApproval: !isFree, scopes, reason }
}

/**
 * Judges a command, and readies what a free one runs with: the repository's own hooks, filters, pagers and diff programs
 * switched off, and only programs from outside the workspace (SAFE-3).
 */
async function prepare(deps: ShellServiceDeps, command: string): Promise<Prepared> {
  const root = await deps.root()
  const judged = await judgeCommand(command, { root, folder: root, dialect: deps.groups.shell.dialect })
  const env = childEnvironment(deps.env, await deps.keyNames())
  if (!judged.isFree) return { judged, command, env }
  const git = await gitOf(judged, env, root)
  const asking = (effect: CommandJudgement['effect'], reason: string): Prepared => ({
    judged: { ...judged, effect, isFree: false, scopes: [exactScope(command)], reason },
    command,
    env,
  })
  if (git.isElsewhere)
    return asking('outside', 'outside the workspace (git, whose files are configured to be elsewhere)')
  if (git.hasFilters && judged.git.some((part) => part.stores))
    return asking('unknown', 'unknown (git add, through a filter that the repository names)')
  return {
    judged,
    command: withSafeOptions(command, judged),
    env: neutralEnvironment(env, { root, git: git.config }),
  }
}

async function gitOf({ git }: CommandJudgement, env: Environment, root: string): Promise<GitNeutral> {
  if (git.length === 0) return { config: [], isElsewhere: false, hasFilters: false }
  return neutralGit(
    git.flatMap((part) => part.folders),
    neutralEnvironment(env, { root, git: [] }),
  )
}

/** Writes the options that keep git from a repository's programs behind its subcommands. */
function withSafeOptions(command: string, { git }: CommandJudgement): string {
  const parts = git.filter((part) => part.safely.length > 0).sort((a, b) => b.position - a.position)
  return parts.reduce(
    (text, { position, safely }) => `${text.slice(0, position)} ${safely.join(' ')}${text.slice(position)}`,
    command,
  )
}

async function run(deps: ShellServiceDeps, request: ShellRequest, call: ShellCall): Promise<ShellRun> {
  const folder = await deps.root()
  const { command, env } = await prepare(deps, request.command)
  return runGroup(deps, { ...request, command, folder, env }, call)
}
