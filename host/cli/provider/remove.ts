import { createConfigStore } from '../../base/config.ts'
import { AmberError } from '../../base/errors.ts'
import { EXIT } from '../../headless/exit-code.ts'
import { removeProviderFile } from '../../llm/provider-files.ts'
import type { CliContext } from '../context.ts'
import { pathsOf } from '../open-app.ts'
import { noSuchProvider, withProviders } from './open.ts'

/** `amber provider remove NAME`: takes what the user added, its key included; what a plugin brings stays. */
export function remove(options: { readonly name: string }, context: CliContext): Promise<number> {
  const { io } = context
  const { name } = options
  const { config } = pathsOf(context)
  return withProviders(context, async (app) => {
    const rows = await app.providers({})
    const row = rows.find((one) => one.name === name)
    if (!(await removeProviderFile(config, name))) {
      if (row === undefined)
        throw noSuchProvider(
          app,
          name,
          rows.map((one) => one.name),
        )
      throw nothingAdded(name, row.plugin, config)
    }
    const plugin = row?.plugin ?? null
    const rest =
      plugin === null ? '' : ` The plugin ${plugin} still brings it; without it: amber plugin off ${plugin}`
    io.out.write(`Removed what you had added of ${name}.${rest}\n`)
    const settings = createConfigStore(config, context.clock)
    if (plugin === null && (await settings.read()).provider === name) {
      await settings.set('model', 'null')
      await settings.set('provider', 'null')
      io.err.write(`${name} was the one in use; choose another: amber provider use NAME\n`)
    }
    return EXIT.done
  })
}

function nothingAdded(name: string, plugin: string | null, config: string): AmberError {
  return plugin === null
    ? new AmberError(
        'failed',
        `The provider ${name} stands in a file of another name.`,
        `Look for "provider": "${name}" in ${config}/providers and delete that file.`,
      )
    : new AmberError(
        'failed',
        `You have added nothing of ${name}: the plugin ${plugin} brings it.`,
        `To be without it, switch the plugin off: amber plugin off ${plugin}`,
      )
}
