import type { Output } from './output.ts'

/** A line of a terminal that counts down in its place and is gone at 0. It begins at the start of a line. */
export function createCountdownLine(output: Output): (secondsLeft: number) => void {
  let width = 0
  return (secondsLeft) => {
    const text = secondsLeft > 0 ? `  trying again in ${secondsLeft} s` : ''
    // Blanks over the longer text before: every terminal can do that.
    output.write(`\r${text.padEnd(width)}${text === '' ? '\r' : ''}`)
    width = text.length
  }
}
