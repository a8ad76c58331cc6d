import { ageText, findModels, modelCells } from '../../app/model-list.ts'
import { sanitiseText } from '../../base/sanitise.ts'
import { table } from '../../base/table.ts'
import { EXIT } from '../../headless/exit-code.ts'
import type { CliContext } from '../context.ts'
import { checkNamed, flagsOf, withProviders } from './open.ts'

/**
 * `amber provider models [NAME]`: what the server lists, with context windows, and prices for a million tokens
 * where it says them. A list that was fetched within the hour is shown from the cache, with its age; so is an older
 * one when the server cannot be asked.
 */
export function models(
  options: { readonly name?: string; readonly json?: boolean; readonly refresh?: boolean },
  context: CliContext,
): Promise<number> {
  const { io, clock } = context
  return withProviders(context, async (app, signal) => {
    await checkNamed(app, context, options.name)
    const connection = await app.connect(
      { ...flagsOf(context, options.name), anyModel: true },
      { interactive: true },
    )
    const { provider, model, notices } = connection.selected
    for (const notice of notices) io.err.write(`${sanitiseText(notice)}\n`)
    const source = { connection, cache: app.modelCache, now: clock.now(), signal }
    const { list, cached, warning } = await findModels(source, options.refresh === true)
    if (warning !== undefined) io.err.write(`${sanitiseText(warning)}\n`)
    if (options.json) {
      const fetchedAt = new Date(list.fetchedAt).toISOString()
      io.out.write(`${JSON.stringify({ provider, fetchedAt, cached, models: list.models }, null, 2)}\n`)
    } else if (list.models.length === 0) {
      io.err.write(`${provider} lists no models.\nName one yourself: --model NAME\n`)
    } else {
      io.out.write(table(list.models.map((one) => [one.id === model ? '*' : ' ', ...modelCells(one)])))
      if (cached)
        io.err.write(`Fetched ${ageText(clock.now() - list.fetchedAt)} ago; --refresh asks again.\n`)
    }
    return EXIT.done
  })
}
