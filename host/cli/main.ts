import { systemClock } from '../base/clock.ts'
import { findInstallation } from '../base/installation.ts'
import { createProcessIo, flush } from './process-io.ts'

/** Amber's command: the only place that ends the process. */
async function main(argv: readonly string[]): Promise<void> {
  const installation = findInstallation(import.meta.url)
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
    process.stdout.write(`${installation.version}\n`)
    return
  }
  // A plugin's promise that never settles must not let the process run out of things to do, and end as if all were well.
  const hold = setInterval(() => {}, 2 ** 30)
  const io = createProcessIo((code) => process.exit(code))
  const fail = async (thrown: unknown) => {
    const { reportError } = await import('./report-error.ts')
    return reportError(io, thrown)
  }
  process.on('uncaughtException', (thrown) => {
    void fail(thrown)
      .then(flush)
      .then(() => process.exit(1))
  })
  const code = await import('./program.ts')
    .then(({ runProgram }) =>
      runProgram(argv, {
        io,
        installation,
        clock: systemClock,
        createApp: async (options) => (await import('../app/create-app.ts')).createApp(options),
      }),
    )
    .catch(fail)
  await flush()
  clearInterval(hold)
  process.exit(io.closed.aborted ? 0 : code)
}

void main(process.argv.slice(2))
