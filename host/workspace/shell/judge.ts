import { type Effect, graver, isFree, type Judged, nameEffect } from './effect.ts'
import { walkFlow } from './flow.ts'
import type { GitPart, JudgedPart } from './judged-part.ts'
import { parseShell, type ShellDialect } from './parse.ts'
import { exactScope } from './scope.ts'

/** What a command does, before it runs. */
export interface CommandJudgement {
  readonly effect: Effect
  /** It runs without a question in write mode. */
  readonly isFree: boolean
  /** What would have to be allowed for it; empty when it is free. */
  readonly scopes: readonly string[]
  /** For the person who is asked: `destructive (git push)`. */
  readonly reason: string
  /** The git commands in it that are free; of a free command they are kept from the repository's own programs. */
  readonly git: readonly GitPart[]
}

/** What judging needs. */
export interface CommandContext {
  /** The workspace's real path. */
  readonly root: string
  /** Where the command starts: a real path inside the workspace. */
  readonly folder: string
  readonly dialect: ShellDialect
}

/** Judges a command part by part by its grammar; what cannot be parsed asks (contract SAFE-3). */
export async function judgeCommand(command: string, context: CommandContext): Promise<CommandJudgement> {
  const parsed = await parseShell(command, context.dialect)
  if (!parsed.ok) {
    const reason = `it cannot be parsed (${parsed.why})`
    return { effect: 'unknown', isFree: false, scopes: [exactScope(command)], reason, git: [] }
  }
  const parts: JudgedPart[] = []
  await walkFlow(
    { source: command, root: context.root, children: parsed.children, onPart: (part) => parts.push(part) },
    parsed.script,
    [context.folder],
  )
  return summarise(parts)
}

function summarise(parts: readonly JudgedPart[]): CommandJudgement {
  const nothing: Judged = { effect: 'read-only', why: 'it only reads' }
  const worst = parts.map(({ effect, what }): Judged => ({ effect, why: what })).reduce(graver, nothing)
  const asking = parts.filter((part) => !isFree(part.effect))
  return {
    effect: worst.effect,
    isFree: asking.length === 0,
    scopes: [...new Set(asking.map((part) => part.scope))],
    reason: worst.effect === 'read-only' ? 'read-only' : `${nameEffect(worst.effect)} (${worst.why})`,
    git: parts.flatMap((part) => (part.git === undefined ? [] : [part.git])),
  }
}
