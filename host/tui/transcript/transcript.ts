import type { Block } from './block.ts'
import type { Look } from './look.ts'

interface Drawn {
  readonly stamp: number
  readonly width: number
  readonly look: Look
  readonly lines: readonly string[]
}

interface Place {
  readonly block: number
  readonly line: number
}

/** What a view of a transcript is made for. */
export interface ViewSize {
  readonly width: number
  readonly height: number
  readonly look: Look
  /** Monotonic milliseconds. */
  readonly now: number
  /** The block that is marked; undefined marks none. */
  readonly marked?: number
}

/** A conversation as a column of blocks, of which a window of lines is looked at. */
export interface Transcript {
  readonly blocks: readonly Block[]
  add(block: Block): void
  clear(): void
  /** The lines in view, at most `height`. What is above or below the view is not drawn. */
  view(size: ViewSize): readonly string[]
  /** Moves the view; negative is up. */
  scroll(lines: number, size: ViewSize): void
  toTop(): void
  toBottom(): void
  /** Whether the newest lines are in view, and stay so. */
  isFollowing(): boolean
  /** Brings a block into view. */
  reveal(block: number, size: ViewSize): void
}

/**
 * Makes one. The view hangs on a block and a line of it, not on a count of lines: what is far above is never drawn
 * again, whatever the width becomes, and what arrives below moves nothing.
 */
export function createTranscript(): Transcript {
  const blocks: Block[] = []
  let drawn = new WeakMap<Block, Drawn>()
  let top: Place | undefined

  const linesOf = (index: number, { width, look, now }: ViewSize): readonly string[] => {
    const block = blocks[index]
    if (block === undefined) return []
    const stamp = block.stamp(now)
    const kept = drawn.get(block)
    if (kept?.stamp === stamp && kept.width === width && kept.look === look) return kept.lines
    const own = block.draw(width, look, now)
    const before = blocks[index - 1]
    const isClose = before === undefined || (before.dense !== '' && before.dense === block.dense)
    const lines = isClose || own.length === 0 ? own : ['', ...own]
    drawn.set(block, { stamp, width, look, lines })
    return lines
  }
  /** The place `height` lines above the end. */
  const bottom = (size: ViewSize): Place => {
    let left = size.height
    for (let block = blocks.length - 1; block >= 0; block -= 1) {
      const { length } = linesOf(block, size)
      if (length >= left) return { block, line: length - left }
      left -= length
    }
    return { block: 0, line: 0 }
  }
  const isBelow = (a: Place, b: Place) => a.block > b.block || (a.block === b.block && a.line >= b.line)
  const marked = (lines: readonly string[], { look }: ViewSize) => {
    const at = lines.findIndex((line) => line !== '')
    const mark = look.theme.paint('accent', look.theme.glyphs.prompt)
    return lines.map((line, index) => (index === at && line.startsWith(' ') ? mark + line.slice(1) : line))
  }

  return {
    blocks,
    add: (block) => blocks.push(block),
    clear() {
      blocks.length = 0
      drawn = new WeakMap()
      top = undefined
    },
    view(size) {
      const from = top ?? bottom(size)
      const rows: string[] = []
      for (let block = from.block; block < blocks.length && rows.length < size.height; block += 1) {
        const lines = linesOf(block, size)
        const shown = block === size.marked ? marked(lines, size) : lines
        const first = block === from.block ? from.line : 0
        // No more than are looked at: a block may have more lines than a call takes arguments.
        rows.push(...shown.slice(first, first + size.height - rows.length))
      }
      return rows.length > size.height ? rows.slice(0, size.height) : rows
    },
    scroll(lines, size) {
      let { block, line } = top ?? bottom(size)
      line += lines
      while (line < 0 && block > 0) line += linesOf(--block, size).length
      if (line < 0) line = 0
      let { length } = linesOf(block, size)
      while (line >= length && block < blocks.length) {
        line -= length
        length = linesOf(++block, size).length
      }
      const place = { block, line }
      top = isBelow(place, bottom(size)) ? undefined : place
    },
    toTop() {
      top = { block: 0, line: 0 }
    },
    toBottom() {
      top = undefined
    },
    isFollowing: () => top === undefined,
    reveal(block, size) {
      const end = bottom(size)
      const from = top ?? end
      const above = block < from.block || (block === from.block && from.line > 0)
      let below = -from.line
      for (let at = from.block; at <= block && below <= size.height; at += 1)
        below += linesOf(at, size).length
      if (!above && below <= size.height) return
      const place = { block: Math.max(0, block), line: 0 }
      top = isBelow(place, end) ? undefined : place
    },
  }
}
