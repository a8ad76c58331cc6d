/** One line that was kept. */
export interface KeptLine {
  /** From 1. */
  readonly number: number
  /** Its first bytes, without the line feed. */
  readonly bytes: Uint8Array
  /** Bytes of the whole line, without the line feed. */
  readonly length: number
}

/** What a window saw once the file was through. */
export interface WindowedLines {
  readonly lines: readonly KeptLine[]
  /** Lines of the whole file; a last line without a line feed counts. */
  readonly total: number
  readonly endsWithNewline: boolean
}

const LINE_FEED = 10

/**
 * Takes a file in pieces, keeps `count` lines from line `from` on (at most `keepBytes` of each) and counts all the
 * others, so that memory holds the window alone. A class, for it has a state with a lifetime: one file.
 */
export class LineWindow {
  readonly #from: number
  readonly #to: number
  readonly #keepBytes: number
  readonly #lines: KeptLine[] = []
  /** Line feeds seen. */
  #feeds = 0
  #lineLength = 0
  #kept: Uint8Array[] = []
  #keptLength = 0

  constructor(options: { readonly from: number; readonly count: number; readonly keepBytes: number }) {
    this.#from = options.from
    this.#to = options.from + options.count - 1
    this.#keepBytes = options.keepBytes
  }

  push(bytes: Uint8Array): void {
    let start = 0
    for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, start)) {
      this.#take(bytes, start, end)
      this.#endLine()
      this.#feeds += 1
      start = end + 1
    }
    this.#take(bytes, start, bytes.length)
  }

  end(): WindowedLines {
    const endsWithNewline = this.#lineLength === 0
    const total = endsWithNewline ? this.#feeds : this.#feeds + 1
    if (!endsWithNewline) this.#endLine()
    return { lines: this.#lines, total, endsWithNewline }
  }

  get #wanted(): boolean {
    return this.#feeds + 1 >= this.#from && this.#feeds + 1 <= this.#to
  }

  #take(bytes: Uint8Array, start: number, end: number): void {
    this.#lineLength += end - start
    if (start === end || this.#keptLength >= this.#keepBytes || !this.#wanted) return
    // A copy, so that a short line does not hold on to the whole piece it came in.
    const piece = bytes.slice(start, Math.min(end, start + this.#keepBytes - this.#keptLength))
    this.#kept.push(piece)
    this.#keptLength += piece.length
  }

  #endLine(): void {
    if (this.#wanted) {
      const bytes = this.#kept.length === 1 ? this.#kept[0] : Buffer.concat(this.#kept)
      this.#lines.push({
        number: this.#feeds + 1,
        bytes: bytes ?? new Uint8Array(),
        length: this.#lineLength,
      })
      this.#kept = []
      this.#keptLength = 0
    }
    this.#lineLength = 0
  }
}
