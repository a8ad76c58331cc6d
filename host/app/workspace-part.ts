import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { HostServices, WorkspaceService } from '../../sdk/index.ts'
import { type ApprovalRules, createApprovalRules } from '../agent/approval-rules.ts'
import type { Clock } from '../base/clock.ts'
import type { AmberPaths } from '../base/paths.ts'
import type { Snapshot } from '../registry/snapshot.ts'
import { workspaceKey } from '../session/workspace-key.ts'
import { type Checkpoints, createCheckpoints } from '../workspace/checkpoints.ts'
import { createPluginTrust, type PluginTrust } from '../workspace/plugin-trust.ts'
import { childEnvironment, type Environment } from '../workspace/process/environment.ts'
import { createGroups } from '../workspace/process/groups.ts'
import { createJobsService, type HostJobs } from '../workspace/process/jobs-service.ts'
import { createShellService } from '../workspace/process/shell-service.ts'
import { createTrust, type Trust } from '../workspace/trust.ts'
import { createUndo, type Undo } from '../workspace/undo.ts'
import { createWorkspaceService } from '../workspace/workspace-service.ts'

/** Everything of a run that belongs to its workspace. */
export interface WorkspacePart {
  readonly workspace: WorkspaceService
  readonly services: Pick<HostServices, 'workspace' | 'shell' | 'jobs'>
  readonly jobs: HostJobs
  readonly rules: ApprovalRules
  readonly trust: Trust
  readonly pluginTrust: PluginTrust
  readonly checkpoints: Checkpoints
  readonly undo: Undo
  /** What a child may inherit: everything but keys of providers (SAFE-6). */
  childEnvironment(): Promise<Environment>
  /** Ends every program that was started. Never rejects. */
  close(): Promise<void>
}

/** What it is made with. */
export interface WorkspacePartDeps {
  readonly paths: AmberPaths
  readonly clock: Clock
  readonly env: Readonly<Record<string, string | undefined>>
  readonly snapshot: () => Snapshot
}

/** Makes it; no file is read, and no process started, before it is needed. */
export function createWorkspacePart({ paths, clock, env, snapshot }: WorkspacePartDeps): WorkspacePart {
  const plain = createWorkspaceService({ workspace: paths.workspace })
  const root = plain.root
  const below = (name: string) => async () => join(paths.state, name, workspaceKey(await root()))
  const checkpoints = createCheckpoints({ folder: below('checkpoints'), root, clock })
  const workspace = createWorkspaceService({ workspace: paths.workspace, keeper: checkpoints.keeper })
  const groups = createGroups({ clock, env })
  const keyNames = () => keyVariables(paths.config, snapshot())
  const trust = createTrust({ state: paths.state, clock })
  const approvals = below('approvals')
  const jobs = createJobsService({
    clock,
    groups,
    env,
    keyNames,
    folder: (path) => folderIn(workspace, path),
  })
  return {
    workspace,
    services: { workspace, shell: createShellService({ clock, groups, root, env, keyNames }), jobs },
    jobs,
    rules: createApprovalRules({
      file: async () => `${await approvals()}.json`,
      workspace: paths.workspace,
      clock,
    }),
    trust,
    pluginTrust: createPluginTrust({ trust, workspace: paths.workspace }),
    checkpoints,
    undo: createUndo({ checkpoints, workspace: plain }),
    childEnvironment: async () => childEnvironment(env, await keyNames()),
    close: () => groups.close(),
  }
}

async function folderIn(workspace: WorkspaceService, path: string) {
  const place = await workspace.locate(path)
  if (!place.ok) return place
  if (place.kind === 'directory') return { ok: true, path: place.path } as const
  const what = place.kind === 'missing' ? 'does not exist' : 'is no folder'
  return { ok: false, error: `${place.relative} ${what}. Name a folder inside the workspace.` } as const
}

/** The variables that keys of providers are read from: by presets, switched on or not, and by the user's own files (SAFE-6). */
async function keyVariables(config: string, snapshot: Snapshot): Promise<readonly string[]> {
  const presets = [...snapshot.providers.presets.values()].flatMap((one) => one.keyEnv)
  return ['AMBER_API_KEY', ...presets, ...(await keyVariablesIn(join(config, 'providers')))]
}

async function keyVariablesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => [])
  const texts = await Promise.all(
    names
      .filter((name) => name.endsWith('.json'))
      .map((name) => readFile(join(folder, name), 'utf8').catch(() => '')),
  )
  return texts.flatMap((text) =>
    [...text.matchAll(/"apiKeyEnv"\s*:\s*"([^"]+)"/g)].map(([, name]) => name ?? ''),
  )
}
