import {
  type AssistantMessage,
  isRecord,
  type JsonRecord,
  recordOf,
  type StreamChunk,
  type ToolCallRequest,
  textOf,
} from 'amber-agent/sdk'

/** One content block as its pieces arrive; `other` is what amber did not ask for: server tools, compaction. */
type Block =
  | { readonly kind: 'text'; text: string }
  | { readonly kind: 'thinking'; thinking: string; signature: string }
  | { readonly kind: 'redacted'; readonly data: string }
  | {
      readonly kind: 'tool'
      readonly id: string
      readonly name: string
      readonly input: unknown
      json: string
    }
  | { readonly kind: 'other' }

/** Puts the blocks of one reply together; each piece goes to the block of its index (D8). */
export interface Blocks {
  /** A block begins; what it already holds is part of it. */
  start(index: number | undefined, block: JsonRecord): void
  /** A piece; false when it fits nowhere. */
  add(index: number | undefined, delta: JsonRecord): boolean
  message(): AssistantMessage
}

/** Makes an assembly that tells each piece of text and thinking at once. */
export function createBlocks(onChunk: (chunk: StreamChunk) => void): Blocks {
  const blocks: Block[] = []
  const byIndex = new Map<number, Block>()

  const open = (index: number | undefined, block: Block): Block => {
    blocks.push(block)
    byIndex.set(index ?? blocks.length - 1, block)
    return block
  }
  const find = (index: number | undefined) => (index === undefined ? blocks.at(-1) : byIndex.get(index))
  const say = (block: Block, added: string): boolean => {
    if (block.kind === 'text') block.text += added
    else if (block.kind === 'thinking') block.thinking += added
    else return block.kind === 'other'
    if (added !== '') onChunk({ type: block.kind === 'text' ? 'text' : 'reasoning', delta: added })
    return true
  }

  return {
    start(index, given) {
      const block = open(index, emptyBlock(given))
      say(block, block.kind === 'thinking' ? textOf(given.thinking) : textOf(given.text))
      if (block.kind !== 'tool') return
      const calls = blocks.filter(({ kind }) => kind === 'tool')
      onChunk({ type: 'toolCallStarted', index: calls.length - 1, name: block.name })
    },
    add(index, delta) {
      const block = find(index)
      if (block?.kind === 'other') return true
      switch (delta.type) {
        case 'text_delta':
          return say(block ?? open(index, { kind: 'text', text: '' }), textOf(delta.text))
        case 'thinking_delta':
          return say(
            block ?? open(index, { kind: 'thinking', thinking: '', signature: '' }),
            textOf(delta.thinking),
          )
        case 'signature_delta':
          if (block?.kind !== 'thinking') return false
          block.signature += textOf(delta.signature)
          return true
        case 'input_json_delta':
          if (block?.kind !== 'tool') return false
          block.json += textOf(delta.partial_json)
          return true
        default:
          // Citations, and whatever comes next: not a fault of the stream.
          return true
      }
    },
    message: () => toMessage(blocks),
  }
}

function emptyBlock(given: JsonRecord): Block {
  switch (given.type) {
    case 'text':
      return { kind: 'text', text: '' }
    case 'thinking':
      return { kind: 'thinking', thinking: '', signature: textOf(given.signature) }
    case 'redacted_thinking':
      return { kind: 'redacted', data: textOf(given.data) }
    case 'tool_use':
      return { kind: 'tool', id: textOf(given.id), name: textOf(given.name), input: given.input, json: '' }
    default:
      return { kind: 'other' }
  }
}

function toMessage(blocks: readonly Block[]): AssistantMessage {
  const reasoning = blocks.map((block) => (block.kind === 'thinking' ? block.thinking : '')).join('')
  const replay = toReplay(blocks)
  return {
    role: 'assistant',
    text: blocks.map((block) => (block.kind === 'text' ? block.text : '')).join(''),
    ...(reasoning === '' ? {} : { reasoning }),
    toolCalls: blocks.flatMap((block) => (block.kind === 'tool' ? [toCall(block)] : [])),
    ...(replay.some(({ type }) => type !== 'text' && type !== 'tool_use')
      ? { replay: { blocks: replay } }
      : {}),
  }
}

function toCall(block: Extract<Block, { kind: 'tool' }>): ToolCallRequest {
  const { id, name, json } = block
  const input = recordOf(block.input) ?? {}
  const whole = json === '' && Object.keys(input).length > 0
  return { id, name, arguments: whole ? JSON.stringify(input) : json }
}

/** The blocks in their order, for the model that wrote them. */
function toReplay(blocks: readonly Block[]): readonly JsonRecord[] {
  return blocks.map(toReplayed).filter(isRecord)
}

/** Thinking that lost its signature cannot be sent back. */
function toReplayed(block: Block): JsonRecord | undefined {
  switch (block.kind) {
    case 'text':
      return { type: 'text', text: block.text }
    case 'thinking': {
      const { thinking, signature } = block
      return signature === '' ? undefined : { type: 'thinking', thinking, signature }
    }
    case 'redacted':
      return block.data === '' ? undefined : { type: 'redacted_thinking', data: block.data }
    case 'tool':
      return { type: 'tool_use', id: block.id }
    case 'other':
      return undefined
  }
}
