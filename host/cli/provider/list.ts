import type { ProviderRow } from '../../app/app.ts'
import { sanitiseLine } from '../../base/sanitise.ts'
import { table } from '../../base/table.ts'
import { EXIT } from '../../headless/exit-code.ts'
import type { CliContext } from '../context.ts'
import { agentOptions } from '../open-app.ts'
import { withProviders } from './open.ts'

/** `amber provider list`: every provider there is, the one in use marked (PRO-1). */
export function list(options: { readonly json?: boolean }, context: CliContext): Promise<number> {
  const { io } = context
  return withProviders(context, async (app) => {
    const { provider } = await agentOptions(context)
    const rows = await app.providers(provider === undefined ? {} : { provider })
    if (options.json) io.out.write(`${JSON.stringify(rows, null, 2)}\n`)
    else if (rows.length === 0)
      io.err.write('There are no providers.\nSwitch a plugin on that brings one: amber plugin list\n')
    else io.out.write(table(rows.map(cells)))
    return EXIT.done
  })
}

function cells(row: ProviderRow): readonly string[] {
  const key = row.requiresKey ? (row.hasKey ? 'key set' : 'key missing') : 'no key needed'
  return [row.active ? '*' : ' ', row.name, row.defaultModel || '-', key, row.apiBase || '-'].map(
    (cell) => sanitiseLine(cell) || ' ',
  )
}
