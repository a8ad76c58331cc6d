import type { StoredMessage } from './read-message.ts'
import type { LoadedSession } from './session-store.ts'
import { showTodos } from './todos.ts'

/** A session as plain data, for `--json` and programs. */
export function exportJson({ header, conversation, warnings }: LoadedSession) {
  const { id, created, workspace, amber, parent } = header
  const { title, provider, model, messages, summary, todos } = conversation
  return {
    id,
    title,
    created,
    workspace,
    amber,
    provider,
    model,
    ...(parent === undefined ? {} : { parent }),
    messages,
    ...(summary === undefined ? {} : { summary }),
    todos,
    warnings,
  }
}

/** A session as Markdown: headings for who spoke, calls and results in fences that no content can close. */
export function exportMarkdown({ header, conversation, warnings }: LoadedSession): string {
  const { id, created, workspace } = header
  const { title, provider, model, messages, todos } = conversation
  const parts = [
    `# ${oneLine(title) || `Session ${id}`}`,
    `Session ${id}, begun ${created} in \`${oneLine(workspace)}\`, answered by ${oneLine(provider)} (${oneLine(model)}).`,
    ...warnings.map((warning) => `> ${warning}`),
    ...messages.map(showMessage),
    ...(todos.length === 0 ? [] : [`## Todos\n\n${fence(showTodos(todos))}`]),
  ]
  return `${parts.join('\n\n')}\n`
}

function showMessage(message: StoredMessage): string {
  if (message.role === 'user') {
    const images = message.images?.map(({ mimeType }) => `*(an image, ${oneLine(mimeType)})*`) ?? []
    return ['## User', message.text, ...images].join('\n\n')
  }
  if (message.role === 'tool') {
    return `### Result of ${oneLine(message.name)}${message.ok ? '' : ' (failed)'}\n\n${fence(message.text)}`
  }
  const calls = message.toolCalls.map(
    (call) => `### Call of ${oneLine(call.name)}\n\n${fence(call.arguments || '{}', 'json')}`,
  )
  return ['## Assistant', ...(message.text.trim() === '' ? [] : [message.text]), ...calls].join('\n\n')
}

/** A code fence longer than any in the text. */
function fence(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const ticks = '`'.repeat(longest + 1)
  return `${ticks}${language}\n${text.replace(/\n$/, '')}\n${ticks}`
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
