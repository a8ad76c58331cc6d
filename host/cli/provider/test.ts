import type { TurnError } from '../../agent/turn.ts'
import type { Connection } from '../../app/connector.ts'
import { explainTrial, type ProviderTrial, trialText, tryProvider } from '../../app/provider-trial.ts'
import { AmberError } from '../../base/errors.ts'
import { sanitiseText } from '../../base/sanitise.ts'
import { EXIT } from '../../headless/exit-code.ts'
import type { CliContext } from '../context.ts'
import { checkNamed, flagsOf, withProviders } from './open.ts'

/**
 * `amber provider test [NAME]`: sends one small question, once, and says what came of it, how long it took, and what
 * to do where it failed. Gives 0, 1 when the provider failed, 3 when it cannot be asked as configured.
 */
export function test(
  options: { readonly name?: string; readonly json?: boolean },
  context: CliContext,
): Promise<number> {
  const { io, clock } = context
  return withProviders(context, async (app, signal) => {
    const connected = await checkNamed(app, context, options.name)
      .then(() => app.connect(flagsOf(context, options.name), { interactive: true, attempts: 1 }))
      .then(
        (connection) => ({ connection }),
        (thrown: unknown) => {
          if (options.json && thrown instanceof AmberError) return { failed: thrown }
          throw thrown
        },
      )
    if ('failed' in connected) {
      const { code, message, hint } = connected.failed
      const error = { kind: code, message, hint }
      io.out.write(`${JSON.stringify({ provider: options.name ?? null, ok: false, error }, null, 2)}\n`)
      return code === 'failed' ? EXIT.failed : EXIT.configuration
    }
    const { connection } = connected
    for (const notice of connection.selected.notices) io.err.write(`${sanitiseText(notice)}\n`)
    const trial = await tryProvider(connection, clock, signal)
    const error = await explainTrial(trial, connection, signal)
    if (options.json) io.out.write(`${JSON.stringify(shape(connection, trial, error), null, 2)}\n`)
    else if (error === undefined) io.out.write(trialText(connection, trial))
    else io.err.write(`error: ${sanitiseText(error.message)}\n${sanitiseText(error.hint)}\n`)
    if (error === undefined) return EXIT.done
    return error.kind === 'cancelled' ? EXIT.interrupted : EXIT.failed
  })
}

function shape({ selected, apiBase }: Connection, trial: ProviderTrial, error: TurnError | undefined) {
  const { completion, tookMs, firstMs } = trial
  return {
    provider: selected.provider,
    model: selected.model,
    flavor: selected.flavor,
    // An address may carry a key in its query (PRO-13).
    apiBase: apiBase.replace(/[?#].*$/, ''),
    ok: error === undefined,
    tookMs: Math.round(tookMs),
    ...(firstMs === undefined ? {} : { firstMs: Math.round(firstMs) }),
    text: completion.message.text,
    ...(completion.usage === undefined ? {} : { usage: completion.usage }),
    ...(error === undefined ? {} : { error }),
  }
}
