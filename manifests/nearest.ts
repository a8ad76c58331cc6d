/**
 * The candidate that a misspelt word most likely meant, or undefined when none is near enough: at most a third of the
 * word's letters may differ (one letter always may). Case is ignored; swapped neighbours count as one mistake.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = fold(word)
  const limit = Math.max(1, Math.floor(wanted.length / 3))
  let best: string | undefined
  let bestDistance = limit + 1
  for (const candidate of candidates) {
    if (candidate === word) continue
    const distance = editDistance(wanted, fold(candidate), bestDistance)
    if (distance >= bestDistance) continue
    best = candidate
    bestDistance = distance
  }
  return best
}

/** `not known, did you mean "x"?` needs only the tail; empty when nothing is near. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const near = nearest(word, candidates)
  return near === undefined ? '' : `, did you mean ${JSON.stringify(near)}?`
}

/** Longer words are nobody's misspelling, and comparing them would take long. */
const longest = 100

function fold(word: string): string {
  return word.slice(0, longest).toLowerCase()
}

/** Optimal string alignment distance; answers `limit` as soon as it cannot be below it. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    let smallest = row
    for (let column = 1; column <= b.length; column++) {
      const cost = stepCost({ a, b, row, column, above: last, left: current, twoAbove: beforeLast })
      current.push(cost)
      if (cost < smallest) smallest = cost
    }
    if (smallest >= limit) return limit
    beforeLast = last
    last = current
  }
  return last[b.length] ?? limit
}

interface Step {
  readonly a: string
  readonly b: string
  readonly row: number
  readonly column: number
  readonly above: readonly number[]
  readonly left: readonly number[]
  readonly twoAbove: readonly number[]
}

function stepCost({ a, b, row, column, above, left, twoAbove }: Step): number {
  const same = a[row - 1] === b[column - 1]
  const cost = Math.min(
    (above[column] ?? 0) + 1,
    (left[column - 1] ?? 0) + 1,
    (above[column - 1] ?? 0) + (same ? 0 : 1),
  )
  const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
  return swapped ? Math.min(cost, (twoAbove[column - 2] ?? 0) + 1) : cost
}
