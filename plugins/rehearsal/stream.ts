import type { ServerResponse } from 'node:http'
import type { Answer, WireCall } from './chat.ts'

/** Sends an answer as a stream: text word by word, arguments in pieces, then finish reason, usage and `[DONE]`. */
export function streamAnswer(response: ServerResponse, { completion }: Answer): void {
  const { choices, usage, ...head } = completion
  const [choice] = choices
  const frame = { ...head, object: 'chat.completion.chunk' }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  const send = (delta: unknown, finishReason: string | null = null) => {
    const chunk = { ...frame, choices: [{ index: 0, delta, finish_reason: finishReason }] }
    response.write(`data: ${JSON.stringify(chunk)}\n\n`)
  }
  send({ role: 'assistant', content: '' })
  for (const piece of pieces(choice.message.content ?? '')) send({ content: piece })
  for (const [index, call] of (choice.message.tool_calls ?? []).entries()) sendCall(send, index, call)
  send({}, choice.finish_reason)
  response.write(`data: ${JSON.stringify({ ...frame, choices: [], usage })}\n\n`)
  response.end('data: [DONE]\n\n')
}

function sendCall(send: (delta: unknown) => void, index: number, call: WireCall): void {
  const { name, arguments: text } = call.function
  send({ tool_calls: [{ index, id: call.id, type: 'function', function: { name, arguments: '' } }] })
  for (const piece of pieces(text)) send({ tool_calls: [{ index, function: { arguments: piece } }] })
}

/** Words with the blanks behind them; a long answer comes in larger pieces, for nobody reads along word by word. */
function pieces(text: string): readonly string[] {
  const words = text.match(/\S+\s*|\s+/g) ?? []
  const size = Math.ceil(words.length / 200)
  const joined: string[] = []
  for (let at = 0; at < words.length; at += size) joined.push(words.slice(at, at + size).join(''))
  return joined
}
