import { configKeys, createConfigStore } from '../base/config.ts'
import { EXIT } from '../headless/exit-code.ts'
import type { CliContext } from './context.ts'
import { pathsOf } from './open-app.ts'

/** `amber config get [KEY]` and `amber config set KEY VALUE`. */
export type ConfigOptions =
  | { readonly action: 'get'; readonly key?: string; readonly json?: boolean }
  | { readonly action: 'set'; readonly key: string; readonly value: string }

/** Reads or changes `config.json`. Gives the exit code: 1 for a setting that is not set. */
export async function run(options: ConfigOptions, context: CliContext): Promise<number> {
  const { io } = context
  const store = createConfigStore(pathsOf(context).config, context.clock)
  if (options.action === 'set') {
    await store.set(options.key, options.value)
    return EXIT.done
  }
  if (options.key !== undefined) {
    const value = await store.get(options.key)
    if (value === undefined) {
      if (options.json) io.out.write('null\n')
      else io.err.write(`${options.key} is not set.\nSet it with: amber config set ${options.key} VALUE\n`)
      return EXIT.failed
    }
    io.out.write(`${options.json || typeof value !== 'string' ? JSON.stringify(value) : value}\n`)
    return EXIT.done
  }
  if (options.json) {
    io.out.write(`${JSON.stringify(await store.read(), null, 2)}\n`)
    return EXIT.done
  }
  for (const key of await configKeys()) {
    const value = await store.get(key)
    if (value !== undefined) io.out.write(`${key} = ${JSON.stringify(value)}\n`)
  }
  return EXIT.done
}
