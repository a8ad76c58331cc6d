import type { WireBlock, WireMessage } from './wire-message.ts'

/** The parts of a request that a server's prefix cache goes through, in its order (docs, "Prompt caching"). */
export interface CachedParts {
  readonly tools: readonly WireBlock[]
  readonly system: readonly WireBlock[]
  readonly head: readonly WireBlock[]
  readonly messages: readonly WireMessage[]
}

/** A request may have four. */
const MOST_MARKS = 4

/**
 * Marks how far the prefix is worth keeping: the tools, the stable prompt, the head, and the conversation up to its
 * last user message and, while marks are left, up to the one before, where the last request's mark stood. Tail blocks
 * are not among the parts: they come behind every mark.
 */
export function markCache({ tools, system, head, messages }: CachedParts): CachedParts {
  const fixed = [tools, system, head].filter((part) => part.length > 0).length
  const users = messages.flatMap(({ role }, at) => (role === 'user' ? [at] : []))
  const marked = new Set(users.slice(-Math.min(2, MOST_MARKS - fixed)))
  return {
    tools: markLast(tools),
    system: markLast(system),
    head: markLast(head),
    messages: messages.map((message, at) =>
      marked.has(at) ? { ...message, content: markLast(message.content) } : message,
    ),
  }
}

function markLast(blocks: readonly WireBlock[]): readonly WireBlock[] {
  return blocks.map((block, at) =>
    at === blocks.length - 1 ? { ...block, cache_control: { type: 'ephemeral' } } : block,
  )
}
