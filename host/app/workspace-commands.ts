import { resolve } from 'node:path'
import type { JobError, JobReading, JobState } from '../../sdk/index.ts'
import { type ApprovalRule, parseRuleName, ruleName } from '../agent/approval-rules.ts'
import { AmberError } from '../base/errors.ts'
import { didYouMean } from '../base/nearest.ts'
import type { CoreHandler } from '../command/dispatch.ts'
import type { Snapshot } from '../registry/snapshot.ts'
import type { SessionStore } from '../session/session-store.ts'
import { openNewestUndo } from './stored-undo.ts'
import { refuseChanged, undoneText } from './turn-undo.ts'
import type { WorkspacePart } from './workspace-part.ts'

/** What the commands about the workspace work on. */
export interface WorkspaceCommandDeps {
  readonly part: WorkspacePart
  readonly snapshot: () => Snapshot
  /** The workspace as given. */
  readonly workspace: string
  readonly sessions: () => Promise<SessionStore>
}

/** The commands about rules, trust, jobs and undo, by dotted path. */
export function workspaceCommands(deps: WorkspaceCommandDeps): ReadonlyMap<string, CoreHandler> {
  return new Map<string, CoreHandler>([
    ...Object.entries(ruleCommands(deps)),
    ...Object.entries(trustCommands(deps)),
    ...Object.entries(jobCommands(deps)),
    ['undo', ({ text }) => undo(deps, text)],
  ])
}

function ruleCommands({ part: { rules }, snapshot }: WorkspaceCommandDeps): Record<string, CoreHandler> {
  const set =
    (decision: ApprovalRule['decision']): CoreHandler =>
    async ({ text }) => {
      const { tool, scope } = named(text)
      const plugin = pluginOf(snapshot(), tool)
      await rules.set({ plugin, tool, scope, decision })
      return `${ruleName({ tool, scope })} is always ${decision === 'allow' ? 'allowed' : 'refused'} in this workspace.`
    }
  return {
    'get.policy.rule': async () =>
      (await rules.list())
        .map((one) => `${one.decision.padEnd(5)}  ${ruleName(one)}  (${one.plugin})`)
        .join('\n') || 'There are no rules for this workspace.',
    'set.policy.rule.allow': set('allow'),
    'set.policy.rule.deny': set('deny'),
    'set.policy.rule.forget': async ({ text }) => {
      const { tool, scope } = named(text)
      if (await rules.forget(tool, scope)) return `The rule for ${text} is forgotten.`
      const known = (await rules.list()).map(ruleName)
      throw new AmberError(
        'failed',
        `There is no rule for ${text}.`,
        didYouMean(text, known) || 'See them: /get policy rule',
      )
    },
  }
}

function named(text: string): Pick<ApprovalRule, 'tool' | 'scope'> {
  const rule = parseRuleName(text)
  if (rule.tool !== '') return rule
  throw new AmberError(
    'failed',
    'No rule was named.',
    'A rule is a tool, or a tool and a scope: write, bash:git push',
  )
}

function pluginOf(snapshot: Snapshot, tool: string): string {
  const plugin = snapshot.tools.get(tool)?.plugin
  if (plugin !== undefined) return plugin
  const hint = didYouMean(tool, snapshot.tools.keys()) || 'A rule begins with a tool: bash:git push'
  throw new AmberError('failed', `There is no tool ${tool}.`, hint)
}

function trustCommands({ part: { trust }, workspace }: WorkspaceCommandDeps): Record<string, CoreHandler> {
  const place = (text: string) => (text === '' ? workspace : resolve(workspace, text))
  return {
    'trust.list': async () =>
      (await trust.list()).map((one) => one.folder).join('\n') || 'No folder is trusted.',
    'trust.add': async ({ text }) => {
      const { folder } = await trust.add(place(text))
      return `${folder} is trusted. Its plugins are used from the next start on.`
    },
    'trust.remove': async ({ text }) => {
      if (await trust.remove(place(text))) return `${place(text)} is trusted no more.`
      throw new AmberError('failed', `${place(text)} is not trusted.`, 'See what is: /trust list')
    },
  }
}

/** Seconds that a job of the user's own may run: a day, silent or not. */
const USER_JOB_SECONDS = 86_400

function jobCommands({ part: { jobs } }: WorkspaceCommandDeps): Record<string, CoreHandler> {
  return {
    'job.list': async () => (await jobs.list()).map(jobLine).join('\n') || 'No job was started.',
    'job.start': async ({ text }) => {
      if (text === '')
        throw new AmberError('failed', 'No command was given.', 'Write: /job start npm run dev')
      const started = await jobs.start({ command: text, timeoutSeconds: USER_JOB_SECONDS, idleSeconds: 0 })
      if (!started.ok) throw new AmberError('failed', started.error, 'See what runs: /job list')
      return `${started.id} runs. Look at it with /job read ${started.id}.`
    },
    'job.read': async ({ text }) => shown(await jobs.read(text, { all: true })),
    'job.kill': async ({ text }) => shown(await jobs.stop(text)),
  }
}

function shown(reading: JobReading | JobError): string {
  if (!reading.ok) throw new AmberError('failed', reading.error, 'See them all: /job list')
  return `${jobLine(reading)}\n${reading.output}`.trimEnd()
}

function jobLine({ id, state, command, ranSeconds, exitCode, signal }: JobState): string {
  const how = state === 'running' ? '' : ` (${signal ?? `exit code ${exitCode ?? 'unknown'}`})`
  return `${id}  ${state}${how}  ${Math.round(ranSeconds)} s  ${command}`
}

/** Where no conversation is open: shows what was done last in the workspace, and takes it back when told so. */
async function undo(deps: WorkspaceCommandDeps, text: string): Promise<string> {
  const undo = await openNewestUndo(await deps.sessions(), deps)
  try {
    const plan = await undo.plan()
    if (plan === undefined) return 'There is no turn that could be taken back.'
    const keepFiles = text === 'talk'
    if (!keepFiles) refuseChanged(plan, 'To take it out of the conversation alone: /undo talk')
    if (text === '') return `${plan.text}\n\nTo take this back: /undo yes`
    await undo.apply(plan, { keepFiles })
    return undoneText(plan, { keepFiles })
  } finally {
    undo.close()
  }
}
