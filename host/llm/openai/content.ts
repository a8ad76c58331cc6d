import { listOf, recordOf, textOf } from '../../../sdk/index.ts'

/** What a message or delta says, its answer and its thinking apart. */
export interface SaidContent {
  readonly text: string
  readonly reasoning: string
}

/**
 * Reads `content`: a string, or a list of parts as Mistral sends it (`text` parts and `thinking` parts with texts of
 * their own). Anything else says nothing.
 */
export function readContent(content: unknown): SaidContent {
  if (typeof content === 'string') return { text: content, reasoning: '' }
  let text = ''
  let reasoning = ''
  for (const item of listOf(content)) {
    const part = recordOf(item)
    if (part === undefined) text += textOf(item)
    else if (part.type === 'thinking' || part.type === 'reasoning') reasoning += readThinking(part.thinking)
    else text += textOf(part.text)
  }
  return { text, reasoning }
}

function readThinking(thinking: unknown): string {
  if (typeof thinking === 'string') return thinking
  return listOf(thinking)
    .map((part) => textOf(recordOf(part)?.text))
    .join('')
}
