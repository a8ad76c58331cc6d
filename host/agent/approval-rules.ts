import { statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { isRecord } from '../../sdk/index.ts'
import { writeFileAtomic } from '../base/atomic-file.ts'
import type { Clock } from '../base/clock.ts'
import { AmberError, messageOf } from '../base/errors.ts'
import { withFileLock } from '../base/file-lock.ts'

/** One lasting answer of the user's, for one workspace (SAFE-2). */
export interface ApprovalRule {
  readonly plugin: string
  readonly tool: string
  /** `git push`; undefined: the tool as a whole. */
  readonly scope: string | undefined
  readonly decision: 'allow' | 'deny'
}

/** The rules of one workspace. */
export interface ApprovalRules {
  /** Every rule; what another amber added counts. Rejects with an AmberError when the file cannot be believed. */
  list(): Promise<readonly ApprovalRule[]>
  /** Adds a rule, in place of one that says otherwise of the same. */
  set(rule: ApprovalRule): Promise<void>
  /** Removes what was said of a tool, or of one scope of it; false when nothing was. */
  forget(tool: string, scope: string | undefined): Promise<boolean>
}

/** Opens the rules in a file; `workspace` stands in it for people who look. Nothing is read before it is asked for. */
export function createApprovalRules(deps: {
  readonly file: () => Promise<string>
  readonly workspace: string
  readonly clock: Clock
}): ApprovalRules {
  let known: { readonly stamp: string; readonly rules: readonly ApprovalRule[] } | undefined
  const list = async () => {
    const file = await deps.file()
    const stamp = stampOf(file)
    if (stamp === undefined) return []
    if (known?.stamp !== stamp) known = { stamp, rules: await load(file) }
    return known.rules
  }
  const change = async (next: (now: readonly ApprovalRule[]) => readonly ApprovalRule[]) => {
    const file = await deps.file()
    await withFileLock(file, deps.clock, async () => {
      const rules = next(stampOf(file) === undefined ? [] : await load(file))
      const content = { version: 1, workspace: deps.workspace, rules }
      await writeFileAtomic(file, `${JSON.stringify(content, null, 2)}\n`)
      known = undefined
    })
  }
  return {
    list,
    set: (rule) => change((now) => [...now.filter((one) => !isSame(one, rule)), rule]),
    async forget(tool, scope) {
      const isIt = (one: ApprovalRule) => one.tool === tool && one.scope === scope
      if (!(await list()).some(isIt)) return false
      await change((now) => now.filter((one) => !isIt(one)))
      return true
    },
  }
}

/** A rule as people write it: `write`, `bash:git push`. */
export function ruleName({ tool, scope }: Pick<ApprovalRule, 'tool' | 'scope'>): string {
  return scope === undefined ? tool : `${tool}:${scope}`
}

/** What a written rule names: a tool, and after the first colon a scope. */
export function parseRuleName(text: string): Pick<ApprovalRule, 'tool' | 'scope'> {
  const colon = text.indexOf(':')
  if (colon === -1) return { tool: text.trim(), scope: undefined }
  const scope = text.slice(colon + 1).trim()
  return { tool: text.slice(0, colon).trim(), scope: scope === '' ? undefined : scope }
}

function isSame(a: ApprovalRule, b: ApprovalRule): boolean {
  return a.plugin === b.plugin && a.tool === b.tool && a.scope === b.scope
}

/** Looked at before every call: at once, which costs less than to wait for it. */
function stampOf(file: string): string | undefined {
  try {
    const status = statSync(file, { throwIfNoEntry: false })
    return status && `${status.ino}:${status.size}:${status.mtimeMs}`
  } catch (thrown) {
    throw broken(file, thrown)
  }
}

async function load(file: string): Promise<readonly ApprovalRule[]> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'))
    if (!isRecord(value) || !Array.isArray(value.rules)) throw new Error('it has no list of rules')
    return value.rules.map(readRule)
  } catch (thrown) {
    throw broken(file, thrown)
  }
}

function readRule(value: unknown): ApprovalRule {
  if (isRecord(value)) {
    const { plugin, tool, scope, decision } = value
    const isText = typeof plugin === 'string' && typeof tool === 'string'
    if (isText && (scope === undefined || typeof scope === 'string')) {
      if (decision === 'allow' || decision === 'deny') return { plugin, tool, scope, decision }
    }
  }
  throw new Error('one of its rules is none')
}

function broken(file: string, thrown: unknown): AmberError {
  return new AmberError(
    'failed',
    `The approval rules in ${file} cannot be read: ${messageOf(thrown)}`,
    'Mend the file or move it away.',
    thrown,
  )
}
