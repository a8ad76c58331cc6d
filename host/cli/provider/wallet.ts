import type { AllowanceWindow } from '../../../sdk/index.ts'
import { sanitiseLine } from '../../base/sanitise.ts'
import { table } from '../../base/table.ts'
import { EXIT } from '../../headless/exit-code.ts'
import type { Account } from '../../llm/account.ts'
import { moneyText, readAccount, UNKNOWN } from '../../llm/account-readout.ts'
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
    } else io.out.write(table(rowsOf(provider, account)))
    if (answer === undefined) io.err.write(`${provider} has no way to ask for a balance.\n`)
    if (answer?.kind !== 'failed') return EXIT.done
    io.err.write(`${provider} did not say.\nSee whether the key is right: amber provider test ${provider}\n`)
    return EXIT.failed
  })
}

function rowsOf(provider: string, account: Account | undefined): readonly (readonly string[])[] {
  const { allowance, balances = [] } = account ?? {}
  const credits =
    balances.length === 0 && allowance?.creditsBalance !== undefined
      ? [{ amount: allowance.creditsBalance, currency: allowance.currency ?? 'USD' }]
      : balances
  const rows = [
    ...(allowance?.plan === undefined ? [] : [[provider, 'plan', sanitiseLine(allowance.plan)]]),
    ...credits.map((money) => [provider, 'balance', moneyText(money)]),
    ...(allowance?.windows ?? []).map((window) => [provider, sanitiseLine(window.label), windowText(window)]),
  ]
  return rows.length > 0 ? rows : [[provider, 'balance', UNKNOWN]]
}

function windowText({ percentUsed, remaining, entitlement, resetsAt }: AllowanceWindow): string {
  const used = percentUsed === undefined ? [] : [`${Math.round(percentUsed)}% used`]
  const of = entitlement === undefined ? '' : ` of ${entitlement}`
  const left = remaining === undefined ? [] : [`${remaining}${of} left`]
  const anew = resetsAt === undefined ? [] : [`anew ${sanitiseLine(resetsAt)}`]
  const parts = [...used, ...left, ...anew]
  return parts.length === 0 ? UNKNOWN : parts.join(', ')
}
