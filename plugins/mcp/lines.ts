/** Gathers bytes to lines. */
export interface Lines {
  add(bytes: Buffer): void
  /** What is left without a line feed is a line, too. */
  end(): void
}

/** Makes it; a line longer than `longest` bytes is told by its beginning, and the rest of it is dropped. */
export function createLines(take: (line: string) => void, longest: number): Lines {
  let pieces: Buffer[] = []
  let size = 0
  let dropping = false
  const flush = () => {
    const line = Buffer.concat(pieces).toString('utf8').trimEnd()
    pieces = []
    size = 0
    if (line !== '') take(line)
  }
  const keep = (piece: Buffer) => {
    if (dropping || piece.length === 0) return
    pieces.push(piece)
    size += piece.length
    if (size <= longest) return
    dropping = true
    pieces = [Buffer.concat(pieces).subarray(0, 200)]
    flush()
  }
  return {
    add(bytes) {
      let from = 0
      for (let feed = bytes.indexOf(10); feed !== -1; feed = bytes.indexOf(10, from)) {
        keep(bytes.subarray(from, feed))
        if (!dropping) flush()
        dropping = false
        from = feed + 1
      }
      keep(bytes.subarray(from))
    },
    end: flush,
  }
}
