const LINE_FEED = 10

/** Splits a stream of bytes into lines as they come. */
export interface LineSplitter {
  push(chunk: Buffer): void
}

/**
 * Gives each whole line to `line`, without its line feed. A line of more than `maxBytes` is not kept: `tooLong` is
 * called once for it, and splitting goes on after it.
 */
export function createLineSplitter(options: {
  readonly maxBytes: number
  readonly line: (bytes: Buffer) => void
  readonly tooLong: () => void
}): LineSplitter {
  let parts: Buffer[] = []
  let size = 0
  const take = (part: Buffer) => {
    size += part.length
    if (size <= options.maxBytes) parts.push(part)
    else parts = []
  }
  const end = () => {
    if (size > options.maxBytes) options.tooLong()
    else options.line(parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts))
    parts = []
    size = 0
  }
  return {
    push(chunk) {
      let start = 0
      for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, start)) {
        take(chunk.subarray(start, at))
        end()
        start = at + 1
      }
      if (start < chunk.length) take(chunk.subarray(start))
    },
  }
}
