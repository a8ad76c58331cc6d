import type { Message } from '../../sdk/index.ts'

/** How much of each thing a transcript for the summariser shows at most, in characters. */
const LIMITS = { user: 8_000, assistant: 4_000, arguments: 1_000, result: 2_000 }
/** Where that does not fit, each thing shows less before anything is left out. */
const SHARES = [1, 0.5, 0.2, 0.08, 0.03]

/** Messages as plain text, for a model to sum up; at most `limit` characters, of which the newest are kept. */
export function transcriptOf(messages: readonly Message[], limit: number): string {
  let text = ''
  for (const share of SHARES) {
    text = render(messages, {
      user: LIMITS.user * share,
      assistant: LIMITS.assistant * share,
      arguments: LIMITS.arguments * share,
      result: LIMITS.result * share,
    })
    if (text.length <= limit) return text
  }
  return `[… the oldest part does not fit and was left out]\n${text.slice(-limit)}`
}

function render(messages: readonly Message[], limits: typeof LIMITS): string {
  return messages.map((message) => show(message, limits)).join('\n\n')
}

function show(message: Message, limits: typeof LIMITS): string {
  switch (message.role) {
    case 'system':
      return ''
    case 'user':
      return `USER: ${middleOut(message.text, limits.user)}`
    case 'tool':
      return `RESULT of ${message.name}${message.ok ? '' : ' (failed)'}: ${middleOut(message.text, limits.result)}`
    case 'assistant': {
      const calls = message.toolCalls.map(
        (call) => `CALL ${call.name} ${middleOut(call.arguments, limits.arguments)}`,
      )
      const said =
        message.text.trim() === '' ? [] : [`ASSISTANT: ${middleOut(message.text, limits.assistant)}`]
      return [...said, ...calls].join('\n')
    }
  }
}

/** Keeps the beginning and the end, which say most. */
function middleOut(text: string, limit: number): string {
  if (text.length <= limit) return text
  const head = Math.floor(limit * 0.6)
  const tail = Math.floor(limit) - head
  return `${text.slice(0, head)} [… ${text.length - limit} characters …] ${text.slice(-tail)}`
}

/** All texts of messages, for estimates. */
export function textsOf(messages: readonly Message[]): string {
  return messages
    .map((message) =>
      message.role === 'assistant'
        ? [
            message.text,
            message.reasoning ?? '',
            ...message.toolCalls.map((call) => call.name + call.arguments),
          ].join('\n')
        : message.text,
    )
    .join('\n')
}
