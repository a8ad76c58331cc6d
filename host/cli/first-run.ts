import type { App } from '../app/app.ts'
import { chooseProvider } from '../app/choose-provider.ts'
import { createConfigStore } from '../base/config.ts'
import { AmberError } from '../base/errors.ts'
import { sanitiseLine } from '../base/sanitise.ts'
import { table } from '../base/table.ts'
import type { ProviderOffer } from '../llm/offers.ts'
import type { Ask } from './chat-approval.ts'
import type { CliContext } from './context.ts'
import { pathsOf } from './open-app.ts'

/** What the user chose to talk to. */
export interface Choice {
  readonly provider: string
  readonly model?: string
}

/** What choosing needs of the conversation. */
export interface FirstRun {
  readonly app: Pick<App, 'offers' | 'snapshot'>
  readonly context: CliContext
  readonly named: { readonly provider?: string; readonly model?: string; readonly apiBase?: string }
  readonly ask: Ask
  readonly say: (text: string) => void
}

const REHEARSAL = 'rehearsal'
const MAX_SHOWN_MODELS = 30

/**
 * The first conversation of somebody who has named no provider: what could be used is told by name, and nothing is
 * used, sent or written before it is chosen (interfaces 1). Undefined when there is nothing to choose, or nothing was.
 */
export async function chooseOnFirstRun({
  app,
  context,
  named,
  ask,
  say,
}: FirstRun): Promise<Choice | undefined> {
  const offers = await app.offers(named)
  if (offers === undefined || offers.length === 0) return undefined
  const canRehearse = app.snapshot().providers.presets.has(REHEARSAL)
  const count = offers.length + (canRehearse ? 1 : 0)
  const rows = offers.map(describe)
  if (canRehearse) rows.push([String(count), REHEARSAL, 'no model: a scripted stand-in'])
  say('No provider is chosen yet. amber could use:')
  say(table(rows.map(indent)).trimEnd())
  const rehearse = canRehearse ? { provider: REHEARSAL } : undefined
  const otherwise = canRehearse ? `, empty: ${REHEARSAL}` : ''
  const number = await askNumber(ask, say, { question: `Which one? [1-${count}${otherwise}] `, count })
  const offer = number === undefined ? undefined : offers[number - 1]
  if (offer === undefined) return rehearse
  const model = named.model ?? (offer.model || (await askModel(offer, ask, say)))
  if (model === undefined) return rehearse
  const choice = { provider: offer.name, model }
  const always = await ask(`Use ${offer.name} from now on, without asking? [y/N] `)
  if (/^y(es)?$/i.test(always?.trim() ?? '')) {
    await chooseProvider(
      createConfigStore(pathsOf(context).config, context.clock),
      offer.model === model ? { provider: offer.name } : choice,
    )
    say(`It is. Another choice: amber provider use NAME`)
  } else say(`Used this once. To use it always: amber provider use ${offer.name}`)
  return choice
}

function describe(offer: ProviderOffer, at: number): readonly string[] {
  const { name, because, where, model, models } = offer
  const asked = model === '' ? '' : `, model ${model}`
  const count = models.length === 1 ? '1 model' : `${models.length} models`
  const why = {
    key: `its key is set in ${where}${asked}`,
    file: `you added it${asked}`,
    server: `a server on this machine answers at ${where} (${count})`,
  }[because]
  return [String(at + 1), name, sanitiseLine(why)]
}

const indent = ([number = '', ...cells]: readonly string[]): readonly string[] => [`  ${number}`, ...cells]

async function askModel(
  offer: ProviderOffer,
  ask: Ask,
  say: (text: string) => void,
): Promise<string | undefined> {
  const { models } = offer
  if (models.length === 0) {
    const typed = (await ask(`Which model of ${offer.name}? `))?.trim()
    return typed || undefined
  }
  const shown = models.slice(0, MAX_SHOWN_MODELS)
  say(`Models of ${offer.name}:`)
  say(table(shown.map((id, at) => indent([String(at + 1), sanitiseLine(id)]))).trimEnd())
  if (models.length > shown.length)
    say(`  and ${models.length - shown.length} more: amber provider models ${offer.name}`)
  const number = await askNumber(ask, say, {
    question: `Which model? [1-${shown.length}] `,
    count: shown.length,
  })
  return number === undefined ? undefined : shown[number - 1]
}

/** A number of the list; undefined for an empty line. Asks again for anything else; rejects when the terminal closes. */
async function askNumber(
  ask: Ask,
  say: (text: string) => void,
  { question, count }: { readonly question: string; readonly count: number },
): Promise<number | undefined> {
  for (;;) {
    const line = (await ask(question))?.trim()
    if (line === undefined) throw new AmberError('interrupted', 'Nothing was chosen.', '')
    if (line === '') return undefined
    const number = Number(line)
    if (Number.isSafeInteger(number) && number >= 1 && number <= count) return number
    say(`Type a number from 1 to ${count}, or nothing.`)
  }
}
