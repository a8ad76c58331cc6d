import { type JsonRecord, listOf, recordOf, textOf } from '../../../sdk/index.ts'

/** The fields in which compatible servers put a model's thinking, as text. */
const FIELDS = ['reasoning_content', 'reasoning'] as const

/** What must go back to the server with an assistant message that called tools. Plain JSON. */
export interface ReasoningReplay {
  /** The thinking came in `reasoning_content`; such servers answer 400 when it is not echoed (P1). */
  readonly reasoningContent?: string
  /** OpenRouter's blocks, signatures included, in order. */
  readonly reasoningDetails?: readonly JsonRecord[]
}

/** Collects a reply's thinking, and what of it is to be replayed. */
export interface ReasoningCollector {
  /** Takes one delta or message; answers the thinking that it added. */
  take(delta: JsonRecord): string
  replay(): ReasoningReplay | undefined
}

/** Makes a collector for one reply. */
export function createReasoningCollector(): ReasoningCollector {
  let content = ''
  const details: JsonRecord[] = []
  return {
    take(delta) {
      for (const item of listOf(delta.reasoning_details)) addDetail(details, item)
      const field = FIELDS.find((name) => textOf(delta[name]) !== '')
      if (field === undefined) return ''
      const added = textOf(delta[field])
      if (field === 'reasoning_content') content += added
      return added
    },
    replay() {
      if (content === '' && details.length === 0) return undefined
      return {
        ...(content === '' ? {} : { reasoningContent: content }),
        ...(details.length === 0 ? {} : { reasoningDetails: details }),
      }
    },
  }
}

/** A stream brings a block in pieces: the texts of consecutive pieces of one block join, other members are kept. */
function addDetail(details: JsonRecord[], item: unknown): void {
  const piece = recordOf(item)
  if (piece === undefined) return
  const last = details.at(-1)
  if (last === undefined || last.type !== piece.type || last.index !== piece.index) {
    details.push(piece)
    return
  }
  const joined: Record<string, unknown> = { ...last }
  for (const [key, value] of Object.entries(piece)) {
    if (key === 'text' || key === 'summary' || key === 'data') joined[key] = textOf(last[key]) + textOf(value)
    else if (value !== null && value !== undefined) joined[key] = value
  }
  details[details.length - 1] = joined
}
