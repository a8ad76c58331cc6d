import type { Message } from '../../sdk/index.ts'
import type { Summary } from './conversation.ts'

/** Below so many messages there is nothing worth summing up (bundled-plugins 6). */
export const MIN_MESSAGES = 10

/** Which messages a summary takes the place of: those from `from` up to, not with, `upTo`. */
export interface Cut {
  readonly from: number
  readonly upTo: number
}

/** Where a conversation may be cut, or why nowhere. */
export type FoundCut =
  | { readonly kind: 'cut'; readonly cut: Cut }
  | { readonly kind: 'none'; readonly reason: string }

/** Everything before the newest `minTurns` turns of the user; they stay as they are. */
export function findCut(
  messages: readonly Message[],
  summary: Summary | undefined,
  minTurns: number,
): FoundCut {
  const from = summary?.upTo ?? 0
  if (messages.length - from < MIN_MESSAGES) {
    return { kind: 'none', reason: `it has fewer than ${MIN_MESSAGES} messages` }
  }
  const turns = messages.flatMap((message, at) => (message.role === 'user' ? [at] : []))
  const upTo = turns.at(-minTurns) ?? 0
  if (upTo - from < 2) return { kind: 'none', reason: `there is nothing before the newest ${minTurns} turns` }
  return { kind: 'cut', cut: { from, upTo } }
}

/**
 * For a conversation that does not fit any more although its newest turns are all it has: the newest rounds that take
 * `keepCharacters` at most stay, and a result is never parted from its call.
 */
export function findDeepCut(
  messages: readonly Message[],
  summary: Summary | undefined,
  keepCharacters: number,
): FoundCut {
  const from = summary?.upTo ?? 0
  let upTo = messages.length
  let kept = 0
  for (let at = messages.length - 1; at > from; at--) {
    const message = messages[at]
    if (message === undefined) break
    kept += message.text.length
    if (kept > keepCharacters && upTo < messages.length) break
    if (message.role !== 'tool') upTo = at
    if (kept > keepCharacters) break
  }
  if (upTo >= messages.length || upTo - from < 2) {
    return { kind: 'none', reason: 'the newest messages alone do not fit' }
  }
  return { kind: 'cut', cut: { from, upTo } }
}
