import { randomUUID } from 'node:crypto'
import { readPlain } from '../base/plain-data.ts'
import { createApprovals } from './approval.ts'
import type { ApprovalRules } from './approval-rules.ts'
import type { CallArguments } from './arguments.ts'
import { dispatchTool, type ToolDispatchDeps } from './dispatch-tool.ts'
import type { Approver, ToolAnswer } from './turn.ts'

/** Calls one tool from outside a turn, past the same interceptors, checks and approvals (DEV-2). Never rejects. */
export async function callTool(
  deps: Omit<ToolDispatchDeps, 'approvals'> & { readonly rules?: ApprovalRules },
  call: { readonly name: string; readonly args: unknown },
  options: { readonly signal?: AbortSignal; readonly approver?: Approver } = {},
): Promise<ToolAnswer> {
  const outcome = await dispatchTool(
    {
      ...deps,
      approvals: createApprovals({
        clock: deps.clock,
        ...(options.approver ? { approver: options.approver } : {}),
        ...(deps.rules ? { rules: deps.rules } : {}),
      }),
    },
    {
      id: `call_${randomUUID().slice(0, 8)}`,
      name: call.name,
      arguments: readGiven(call.args ?? {}),
    },
    { signal: options.signal ?? new AbortController().signal },
  )
  const { ok, output, error, meta, durationMs } = outcome
  return {
    ok,
    ...(output === undefined ? {} : { output }),
    ...(error === undefined ? {} : { error }),
    ...(meta === undefined ? {} : { meta }),
    durationMs,
  }
}

/** What is given is copied, as a model's arguments would be: nobody else holds what is validated. */
function readGiven(args: unknown): CallArguments {
  const plain = readPlain(args)
  if (plain.ok) return { ok: true, args: plain.value }
  return { ok: false, raw: '', message: `The arguments are no plain data: ${plain.why}` }
}
