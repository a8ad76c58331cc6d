/** One server-sent event. */
export interface EventFrame {
  readonly id: string
  readonly name: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly data: string
}

/** Characters of an event that is not whole yet; what is longer is no event of ours. */
const MAX_PENDING = 2_000_000

/** Reads events as they come, until the stream ends or breaks; then resolves. */
export async function readEventFrames(
  body: ReadableStream<Uint8Array>,
  take: (frame: EventFrame) => void,
): Promise<void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let pending = ''
  for (;;) {
    const { value, done } = await reader.read().catch(() => ({ value: undefined, done: true }))
    if (done || value === undefined) return
    pending += decoder.decode(value, { stream: true })
    const parts = pending.split('\n\n')
    pending = parts.pop() ?? ''
    if (pending.length > MAX_PENDING) return void reader.cancel()
    for (const part of parts) {
      const frame = parseFrame(part)
      if (frame) take(frame)
    }
  }
}

function parseFrame(text: string): EventFrame | undefined {
  const fields = new Map(
    text.split('\n').map((line) => {
      const colon = line.indexOf(': ')
      return [line.slice(0, colon), line.slice(colon + 2)]
    }),
  )
  const name = fields.get('event')
  const data = fields.get('data')
  if (name === undefined || data === undefined) return undefined
  return { id: fields.get('id') ?? '', name, at: Number(fields.get('at') ?? Date.now()), data }
}
