import type { SubagentService, ToolCall, ToolResult } from 'amber-agent/sdk'

/** Runs a call of `task`: the sub-agent's last text, or why there is none and how far it came. */
export async function runTask(
  subagents: SubagentService,
  prompt: string,
  call: ToolCall,
): Promise<ToolResult> {
  const { signal, conversation, id } = call
  const answer = await subagents.run(
    { prompt, conversation, call: id },
    { signal, progress: (text) => call.progress(text) },
  )
  if (answer.ok) return { ok: true, output: answer.text, meta: { calls: answer.calls } }
  return {
    ok: false,
    error: answer.error,
    ...(answer.text === undefined ? {} : { output: `Its last words:\n${answer.text}` }),
  }
}
