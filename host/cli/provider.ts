import type { ProviderRow } from '../app/app.ts'
import { sanitiseText } from '../base/sanitise.ts'
import { EXIT } from '../headless/exit-code.ts'
import type { CliContext } from './context.ts'
import { agentOptions, openApp } from './open-app.ts'
import { table } from './table.ts'

/** `amber provider list`. */
export interface ProviderOptions {
  readonly action: 'list'
  readonly json?: boolean
}

/** Lists the providers there are (PRO-1). Gives the exit code. */
export async function run(options: ProviderOptions, context: CliContext): Promise<number> {
  const { io } = context
  const notice = (message: string) => io.err.write(`${sanitiseText(message)}\n`)
  const app = await openApp(context, notice, { activate: false })
  try {
    const { provider } = await agentOptions(context)
    const rows = await app.providers(provider === undefined ? {} : { provider })
    if (options.json) io.out.write(`${JSON.stringify(rows, null, 2)}\n`)
    else if (rows.length === 0)
      io.err.write('There are no providers.\nSwitch a plugin on that brings one: amber plugin list\n')
    else io.out.write(sanitiseText(table(rows.map(cells))))
    return EXIT.done
  } finally {
    await app.shutdown()
  }
}

function cells(row: ProviderRow): readonly string[] {
  const key = row.requiresKey ? (row.hasKey ? 'key set' : 'key missing') : 'no key needed'
  return [row.active ? '*' : ' ', row.name, row.defaultModel || '-', key, row.apiBase || '-']
}
