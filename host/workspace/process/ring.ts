/** The last bytes of a stream, in fixed memory, and how many there were in all. */
export class ByteRing {
  readonly #capacity: number
  #buffer: Buffer
  #total = 0

  /** @param capacity Bytes that are kept at most. */
  constructor(capacity: number) {
    this.#capacity = capacity
    this.#buffer = Buffer.alloc(0)
  }

  /** Bytes that ever came. */
  get total(): number {
    return this.#total
  }

  /** The offset of the oldest byte that is kept. */
  get oldest(): number {
    return Math.max(0, this.#total - this.#capacity)
  }

  push(chunk: Uint8Array): void {
    const kept = chunk.length > this.#capacity ? chunk.subarray(chunk.length - this.#capacity) : chunk
    this.#total += chunk.length - kept.length
    this.#reserve(Math.min(this.#capacity, this.#total + kept.length))
    const start = this.#total % this.#capacity
    const first = Math.min(kept.length, this.#capacity - start)
    this.#buffer.set(kept.subarray(0, first), start)
    this.#buffer.set(kept.subarray(first), 0)
    this.#total += kept.length
  }

  /** What is kept from an offset on. */
  from(offset: number): Buffer {
    const begin = Math.max(offset, this.oldest)
    const length = Math.max(0, this.#total - begin)
    const start = begin % this.#capacity
    const first = Math.min(length, this.#capacity - start)
    return Buffer.concat([
      this.#buffer.subarray(start, start + first),
      this.#buffer.subarray(0, length - first),
    ])
  }

  #reserve(size: number): void {
    if (size <= this.#buffer.length) return
    const grown = Buffer.allocUnsafeSlow(
      Math.min(this.#capacity, Math.max(size, this.#buffer.length * 2, 4096)),
    )
    this.#buffer.copy(grown)
    this.#buffer = grown
  }
}
