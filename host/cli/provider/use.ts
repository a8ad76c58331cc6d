import { chooseProvider } from '../../app/choose-provider.ts'
import { createConfigStore } from '../../base/config.ts'
import { EXIT } from '../../headless/exit-code.ts'
import type { CliContext } from '../context.ts'
import { pathsOf } from '../open-app.ts'
import { noSuchProvider, withProviders } from './open.ts'

/** `amber provider use NAME [--model M]`: the provider, and the model, that are used when none is named. */
export function use(options: { readonly name: string }, context: CliContext): Promise<number> {
  const { io, global } = context
  const { name } = options
  return withProviders(context, async (app) => {
    const rows = await app.providers({ provider: name })
    const row = rows.find((one) => one.name === name)
    if (row === undefined)
      throw noSuchProvider(
        app,
        name,
        rows.map((one) => one.name),
      )
    await chooseProvider(createConfigStore(pathsOf(context).config, context.clock), {
      provider: name,
      ...(global.model === undefined ? {} : { model: global.model }),
    })
    const model = global.model ?? row.defaultModel
    io.out.write(`amber uses ${name}${model === '' ? '' : ` (model ${model})`} from now on.\n`)
    if (row.requiresKey && !row.hasKey) io.err.write(`It needs a key: amber provider add ${name}\n`)
    if (model === '')
      io.err.write(
        `It needs a model: amber provider models ${name}, then amber provider use ${name} --model NAME\n`,
      )
    return EXIT.done
  })
}
