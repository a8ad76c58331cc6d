import { decodeOutput, joinHeadTail, MOST_TEXT } from './output-text.ts'
import { ByteRing } from './ring.ts'

const HEAD_BYTES = 24 * 1024
const TAIL_BYTES = 40 * 1024

/** The beginning and the end of a stream, in fixed memory however long it is (rows B6, B7). */
export class HeadTail {
  readonly #head: Buffer[] = []
  readonly #tail = new ByteRing(TAIL_BYTES)
  #headBytes = 0

  /** Bytes that ever came. */
  get total(): number {
    return this.#headBytes + this.#tail.total
  }

  push(chunk: Buffer): void {
    const room = HEAD_BYTES - this.#headBytes
    if (room > 0) {
      // A copy: the chunk may be a slice of a much larger buffer.
      this.#head.push(Buffer.from(chunk.subarray(0, room)))
      this.#headBytes += Math.min(room, chunk.length)
    }
    if (chunk.length > room) this.#tail.push(chunk.subarray(Math.max(0, room)))
  }

  /** What is kept, as text, with a mark where something is missing. */
  text(): { readonly text: string; readonly replaced: number; readonly leftOut: number } {
    const head = Buffer.concat(this.#head)
    const tail = this.#tail.from(0)
    if (this.#tail.oldest === 0) {
      const { text, replaced } = decodeOutput(Buffer.concat([head, tail]))
      if (Buffer.byteLength(text) <= MOST_TEXT) return { text, replaced, leftOut: 0 }
    }
    const first = decodeOutput(head, { end: true })
    const last = decodeOutput(tail, { start: true })
    return {
      ...joinHeadTail(first.text, last.text, this.#tail.oldest),
      replaced: first.replaced + last.replaced,
    }
  }
}
