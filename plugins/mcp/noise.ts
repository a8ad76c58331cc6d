/** Lines that a server writes beside its messages: the last ones are kept, the first ones are logged (M1). */
export interface Noise {
  readonly add: (line: string) => void
  /** The last lines, oldest first. */
  lines(): readonly string[]
}

const KEPT = 30
const LOGGED = 200
const LONGEST = 500

/** Makes it; a server that never stops talking fills neither memory nor log. */
export function createNoise(
  log: (line: string) => void,
  masked: (line: string) => string = (line) => line,
): Noise {
  const kept: string[] = []
  let count = 0
  return {
    add(said) {
      const line = masked(said)
      const short = line.length <= LONGEST ? line : `${line.slice(0, LONGEST)}…`
      count += 1
      kept.push(short)
      if (kept.length > KEPT) kept.shift()
      if (count < LOGGED) log(short)
      else if (count === LOGGED) log('(no more of its lines is logged)')
    },
    lines: () => [...kept],
  }
}
