/** A question, and the files that answer it. */
export type Question = readonly [question: string, ...answers: string[]]

/** The mean of 1/rank of the first right file. */
export function meanReciprocalRank(
  questions: readonly Question[],
  order: (question: string) => readonly string[],
): number {
  const points = questions.map(([question, ...answers]) => {
    const at = [...new Set(order(question))].findIndex((path) => answers.includes(path))
    return at < 0 ? 0 : 1 / (at + 1)
  })
  return points.reduce((sum, one) => sum + one, 0) / points.length
}

/** Questions about this repository, as somebody asks who does not know its names, and the files that answer them. */
export const QUESTIONS: readonly Question[] = [
  ['where are secrets removed from text before it is logged', 'host/llm/redact.ts', 'host/llm/secrets.ts'],
  ['how is a file written so that a crash never leaves half of it', 'host/base/atomic-file.ts'],
  [
    'escape sequences stripped from untrusted terminal output',
    'host/base/sanitise.ts',
    'host/tui/terminal/sink.ts',
  ],
  ['wait time after the server says too many requests', 'host/llm/retry-after.ts', 'host/llm/retry.ts'],
  [
    'who decides whether a shell command needs permission',
    'host/workspace/shell/judge.ts',
    'host/workspace/shell/effect.ts',
    'host/workspace/process/shell-service.ts',
    'host/agent/judge-call.ts',
  ],
  [
    'symlinks pointing outside of the project folder',
    'host/workspace/confinement.ts',
    'host/workspace/inside.ts',
  ],
  [
    'summarise a long conversation when the context is full',
    'host/agent/compression.ts',
    'host/agent/compression-cut.ts',
  ],
  ['model repeats the same call again and again', 'host/agent/detector.ts'],
  ['parse server sent events', 'host/llm/sse.ts'],
  ['suggest the closest spelling for a typo', 'host/base/nearest.ts', 'manifests/nearest.ts'],
  ['two processes open the same conversation', 'host/session/session-lock.ts'],
  ['list old conversations quickly without reading whole files', 'host/session/list-sessions.ts'],
  ['export conversation as markdown', 'host/session/export.ts'],
  [
    'restore files as they were before the last turn',
    'host/workspace/undo.ts',
    'host/workspace/checkpoints.ts',
    'host/workspace/checkpoint.ts',
  ],
  [
    'kill the whole process tree of a background program',
    'host/workspace/process/run-group.ts',
    'host/workspace/process/groups.ts',
    'host/workspace/process/child-group.ts',
  ],
  ['keep head and tail of very long command output', 'host/workspace/process/head-tail.ts'],
  ['environment variables removed for child processes', 'host/workspace/process/environment.ts'],
  ['type check of the author code after reload', 'host/plugin/type-check.ts'],
  ['map an exception to the source line of the author', 'host/plugin/stack.ts'],
  ['order in which plugins are registered', 'host/ledger/record.ts', 'host/plugin/registration.ts'],
  ['switch off a contribution after repeated failures', 'host/plugin/contribution-code.ts'],
  ['draw the error with the code around it', 'manifests/frame.ts'],
  ['status bar drops segments when too narrow', 'host/registry/compose-status.ts'],
  ['anthropic thinking signature replay', 'plugins/anthropic/thinking.ts'],
  [
    'gemini finish reason safety blocked',
    'plugins/gemini/candidate.ts',
    'plugins/gemini/failure.ts',
    'plugins/gemini/reply.ts',
    'plugins/gemini/completion.ts',
  ],
  ['account balance in dollars shown in the bar', 'host/llm/account-readout.ts', 'host/llm/accounts.ts'],
  ['proxy settings from the environment', 'host/llm/http-agent.ts', 'host/llm/undici.ts'],
  ['list the models a provider offers', 'host/llm/list-models.ts', 'host/cli/provider.ts'],
  ['context window learned from an overflow error', 'host/llm/overflow.ts', 'host/agent/ask-model.ts'],
  [
    'load SKILL.md files with front matter',
    'host/workspace/skills/skill-folder.ts',
    'host/workspace/skills/front-matter.ts',
    'host/workspace/skills/skill-service.ts',
  ],
  [
    'start a sub agent with its own context',
    'host/agent/subagents.ts',
    'host/agent/spawn.ts',
    'plugins/tool_task/run-task.ts',
  ],
  [
    'watch folders for saved files',
    'devserver/folder-watch.ts',
    'devserver/file-watcher.ts',
    'devserver/watched-folder.ts',
    'devserver/plugin-watch.ts',
  ],
  ['exit code when a call was denied', 'host/headless/exit-code.ts'],
  ['read prompt from standard input without hanging', 'host/cli/read-input.ts', 'host/cli/prompt-text.ts'],
  ['attach an image or file with @path in the prompt', 'host/workspace/prompt-files.ts'],
  ['shell completion script for zsh', 'host/cli/completion.ts'],
  ['ask the user before installing a plugin archive', 'host/cli/plugin/install.ts'],
  ['convert camel case to pascal case type names', 'manifests/type-names.ts'],
  [
    'regular expression search without ripgrep',
    'plugins/search_grep/in-process/search.ts',
    'plugins/search_grep/in-process/line-matcher.ts',
  ],
  ['find the nearest matching place when an edit does not match', 'plugins/tool_write/near-miss.ts'],
  ['keep windows line endings when editing', 'plugins/tool_write/line-ends.ts'],
  ['color theme of the terminal', 'host/tui/look/theme.ts'],
  ['markdown rendering in the transcript', 'host/tui/transcript/markdown.ts'],
  [
    'a handler that never answers must not block',
    'host/plugin/guard.ts',
    'host/base/event-bus.ts',
    'host/agent/abandon.ts',
  ],
  [
    'the pretend model that runs without a key',
    'plugins/rehearsal/index.ts',
    'plugins/rehearsal/server.ts',
    'plugins/rehearsal/chat.ts',
  ],
  ['which folders hold configuration and cache', 'host/base/paths.ts'],
  [
    'drop keywords that a vendor rejects from tool schemas',
    'host/llm/schema.ts',
    'plugins/gemini/schema/project.ts',
    'host/llm/openai/schema.ts',
  ],
  ['join tool call fragments from a stream', 'host/llm/openai/tool-deltas.ts', 'host/llm/tool-calls.ts'],
  [
    'trust a workspace before using its plugins',
    'host/workspace/trust.ts',
    'host/plugin/plugin-trust.ts',
    'host/workspace/plugin-trust.ts',
  ],
  [
    'constant time comparison of the token',
    'devserver/http/token-file.ts',
    'devserver/http/guard.ts',
    'devserver/http/http-server.ts',
  ],
]
