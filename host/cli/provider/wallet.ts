import { walletRows } from '../../app/wallet-rows.ts'
import { table } from '../../base/table.ts'
import { EXIT } from '../../headless/exit-code.ts'
import { readAccount } from '../../llm/account-readout.ts'
import type { CliContext } from '../context.ts'
import { flagsOf, withProviders } from './open.ts'

/**
 * `amber provider wallet`: the balance and the quota of the provider in use, or of `--provider`. What nobody says
 * honestly is a dash (WAL-2); currencies stay apart (WAL-4). Gives 1 when the provider was asked and did not answer.
 */
export function wallet(options: { readonly json?: boolean }, context: CliContext): Promise<number> {
  const { io } = context
  return withProviders(context, async (app, signal) => {
    const connection = await app.connect(
      { ...flagsOf(context, undefined), anyModel: true },
      { interactive: true },
    )
    const { provider } = connection.selected
    const answer = await connection.account(signal)
    const account = answer?.kind === 'account' ? answer.account : undefined
    const { text } = readAccount(provider, account)
    if (options.json) {
      const balances = account?.balances ?? null
      const allowance = account?.allowance ?? null
      io.out.write(`${JSON.stringify({ provider, text, balances, allowance }, null, 2)}\n`)
    } else io.out.write(table(walletRows(provider, account)))
    if (answer === undefined) io.err.write(`${provider} has no way to ask for a balance.\n`)
    if (answer?.kind !== 'failed') return EXIT.done
    io.err.write(`${provider} did not say.\nSee whether the key is right: amber provider test ${provider}\n`)
    return EXIT.failed
  })
}
