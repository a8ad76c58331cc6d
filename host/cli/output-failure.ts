import { writeSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { messageOf, systemCode } from '../base/errors.ts'
import { fromSystem } from '../base/system-error.ts'
import { EXIT } from '../headless/exit-code.ts'

/**
 * Makes a lost output a failed command: an answer that was not written was not given, whatever the command itself says.
 * At the very end, for a stream of the process may fail in its last write. A reader that went away is no failure (H2).
 */
export function failOnLostOutput(out: Writable, ending: NodeJS.Process): void {
  let heard: Error | undefined
  out.on('error', (error) => {
    heard ??= error
  })
  ending.once('exit', (code) => {
    // The error of the last write is there before it can be heard; that of an earlier one is forgotten by the stream.
    const lost = heard ?? out.errored
    if (!lost || systemCode(lost) === 'EPIPE') return
    if (code === EXIT.done) ending.exitCode = EXIT.failed
    tell(lost)
  })
}

function tell(lost: Error): void {
  const why = fromSystem(lost)?.message ?? messageOf(lost)
  try {
    writeSync(
      2,
      `error: standard output could not be written: ${why}\nMake room where it goes, or send it elsewhere.\n`,
    )
  } catch {
    // Nobody is left to tell; the exit code says it.
  }
}
