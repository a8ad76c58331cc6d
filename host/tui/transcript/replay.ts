import type { Message, ToolMessage } from '../../../sdk/index.ts'
import { splitFiles } from '../../workspace/prompt-files.ts'
import type { Block } from './block.ts'
import { answerBlock, attachmentBlocks, reasoningBlock, userBlock } from './message-blocks.ts'
import { toolBlock } from './tool-block.ts'

/** The newest messages of a stored conversation that are shown; the model knows the others too. */
const MOST = 400

/**
 * A conversation that was stored, as blocks. What a call took was not kept; `verbOf` says how a tool that is there now
 * names what it does.
 */
export function replayBlocks(
  messages: readonly Message[],
  verbOf: (tool: string) => string | undefined = () => undefined,
): readonly Block[] {
  const results = new Map<string, ToolMessage>()
  for (const message of messages) if (message.role === 'tool') results.set(message.callId, message)
  return messages.slice(-MOST).flatMap((message): readonly Block[] => {
    if (message.role === 'user') {
      const { text, files } = splitFiles(message.text)
      return [userBlock(text), ...attachmentBlocks({ files, notices: [] })]
    }
    if (message.role !== 'assistant') return []
    return [
      ...reasoningOf(message.reasoning ?? ''),
      ...answerOf(message.text),
      ...message.toolCalls.map((call) =>
        callBlock(call, verbOf(call.name) ?? call.name, results.get(call.id)),
      ),
    ]
  })
}

function reasoningOf(text: string): readonly Block[] {
  if (text === '') return []
  const block = reasoningBlock(undefined)
  block.append(text)
  block.end(0)
  return [block]
}

function answerOf(text: string): readonly Block[] {
  const block = answerBlock()
  block.append(text)
  return block.isEmpty() ? [] : [block]
}

function callBlock(
  call: { readonly id: string; readonly name: string; readonly arguments: string },
  verb: string,
  result?: ToolMessage,
): Block {
  const { id, name } = call
  const given = parsed(call.arguments)
  const requested = { id, name, plugin: undefined, arguments: given, verb, summary: summaryOf(given) }
  const block = toolBlock(requested, 0)
  if (result === undefined) block.abandon()
  else block.complete({ ...requested, ok: result.ok, output: result.text })
  return block
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

/** The first argument says most of a call. */
function summaryOf(given: unknown): string {
  if (typeof given !== 'object' || given === null) return ''
  const [first] = Object.values(given)
  return typeof first === 'string' ? first.slice(0, 200) : ''
}
