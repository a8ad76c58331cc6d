import type { App } from '../../app/app.ts'
import { noSuchProvider as noProviderOf } from '../../app/provider-checks.ts'
import type { AmberError } from '../../base/errors.ts'
import { sanitiseText } from '../../base/sanitise.ts'
import type { CliContext } from '../context.ts'
import { openApp } from '../open-app.ts'

/** Runs `use` with an amber that has loaded no plugin code, and shuts it down; code is loaded when it is needed. */
export async function withProviders(
  context: CliContext,
  use: (app: App, signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const { io } = context
  const app = await openApp(context, (message) => io.err.write(`${sanitiseText(message)}\n`), {
    activate: false,
  })
  const controller = new AbortController()
  const undo = io.onInterrupt(() => controller.abort())
  try {
    return await use(app, controller.signal)
  } finally {
    undo()
    await app.shutdown()
  }
}

/** The flags that choose a provider by name, and its model and address where the command line says them. */
export function flagsOf({ global, io }: CliContext, name: string | undefined) {
  const { model, apiBase } = global
  const provider = name ?? global.provider ?? (io.env.AMBER_PROVIDER || undefined)
  return {
    ...(provider === undefined ? {} : { provider }),
    ...(model === undefined ? {} : { model }),
    ...(apiBase === undefined ? {} : { apiBase }),
  }
}

/**
 * Refuses a name that is nobody's, as for any absent thing (exit code 1). With an address of its own a new name is fine.
 */
export async function checkNamed(app: App, context: CliContext, name: string | undefined): Promise<void> {
  const { global, io } = context
  if (name === undefined || global.apiBase !== undefined || io.env.AMBER_API_BASE) return
  const names = (await app.providers({ provider: name })).map((row) => row.name)
  if (!names.includes(name)) throw noSuchProvider(app, name, names)
}

/** Why there is no provider of a name. */
export function noSuchProvider(app: App, name: string, names: readonly string[]): AmberError {
  return noProviderOf(app.snapshot(), name, { names, all: 'amber provider list' })
}
