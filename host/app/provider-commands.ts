import type { ProviderFile } from '../../manifests/config-files.gen.ts'
import type { PluginUi } from '../../sdk/index.ts'
import type { Clock } from '../base/clock.ts'
import type { ConfigStore } from '../base/config.ts'
import { AmberError } from '../base/errors.ts'
import { sanitiseLine, sanitiseText } from '../base/sanitise.ts'
import type { CoreHandler } from '../command/dispatch.ts'
import { readProviderFiles, removeProviderFile, writeProviderFile } from '../llm/provider-files.ts'
import type { InstalledPreset, Snapshot } from '../registry/snapshot.ts'
import type { ProviderRow } from './app.ts'
import type { Connect } from './connector.ts'
import { checkProviderFile, clearTextWarning, hasKey, noSuchProvider } from './provider-checks.ts'
import { readKeyText } from './provider-key.ts'
import { explainTrial, trialText, tryProvider } from './provider-trial.ts'

/** What the commands about providers work on. */
export interface ProviderCommandDeps {
  readonly snapshot: () => Snapshot
  readonly providers: () => Promise<readonly ProviderRow[]>
  readonly connect: Connect
  readonly clock: Clock
  /** The folder of the user's settings, and what stands in them. */
  readonly config: string
  readonly settings: ConfigStore
  /** Who asks for what is missing; a key is typed without being shown. */
  readonly ui: Pick<PluginUi, 'askText' | 'askSecret'>
}

/** `/provider add | edit | delete | test`, by dotted path. No key passes through a command's text (PRO-13). */
export function providerCommands(deps: ProviderCommandDeps): ReadonlyMap<string, CoreHandler> {
  return new Map<string, CoreHandler>([
    ['provider.add', ({ words }) => add(deps, words)],
    ['provider.edit', ({ words }) => edit(deps, words)],
    ['provider.delete', ({ text }) => remove(deps, text)],
    ['provider.test', ({ text, signal }) => test(deps, text, signal)],
  ])
}

const LIST = '/provider list'

async function namesOf(deps: ProviderCommandDeps): Promise<readonly string[]> {
  return (await deps.providers()).map(({ name }) => name)
}

async function add(deps: ProviderCommandDeps, words: readonly string[]): Promise<string> {
  const name = words[0] ?? (await ask(deps, 'The name of the new provider:', 'Write: /provider add NAME'))
  if (name === '') throw new AmberError('failed', 'No provider was named.', 'Write: /provider add NAME')
  return store(deps, name, words.slice(1))
}

async function edit(deps: ProviderCommandDeps, words: readonly string[]): Promise<string> {
  const [name] = words
  if (name === undefined) throw new AmberError('failed', 'No provider was named.', `See them: ${LIST}`)
  const names = await namesOf(deps)
  if (!names.includes(name)) throw noSuchProvider(deps.snapshot(), name, { names, all: LIST })
  return store(deps, name, words.slice(1))
}

/** Asks for address, model and key where they are not given, and writes the user's own file. */
async function store(
  deps: ProviderCommandDeps,
  name: string,
  [address, model]: readonly (string | undefined)[],
): Promise<string> {
  const earlier = (await readProviderFiles(deps.config)).files.get(name)
  const preset = deps.snapshot().providers.presets.get(name)
  // A name that no file can have is told before anything is asked.
  await checkProviderFile({ ...earlier }, name)
  const { provider: _, ...kept } = earlier ?? {}
  const apiBase = address ?? (await askAddress(deps, name, { earlier, preset }))
  const wanted = model ?? (await askModel(deps, { earlier, preset }))
  const before: ProviderFile = {
    ...kept,
    ...(apiBase === '' ? {} : { apiBase }),
    ...(wanted === '' ? {} : { model: wanted }),
  }
  await checkProviderFile(before, name)
  const key = await askKey(deps, name, { earlier, preset })
  const file = key === '' ? before : { ...before, apiKey: key, requiresKey: true }
  await checkProviderFile(file, name)
  const path = await writeProviderFile(deps.config, name, file)
  const warning = clearTextWarning(file, preset)
  return [
    `Stored ${name} in ${path}, which you alone can read.`,
    ...(warning === undefined ? [] : [warning]),
    `Try it: /provider test ${name}`,
    `Use it: /set provider ${name}`,
  ].join('\n')
}

interface Known {
  readonly earlier: ProviderFile | undefined
  readonly preset: InstalledPreset | undefined
}

const NOBODY = 'In a shell: amber provider add NAME --api-base URL --model NAME'

/** An answer, trimmed. Rejects when nobody answers: then nothing is written. */
async function ask({ ui }: ProviderCommandDeps, question: string, hint = NOBODY): Promise<string> {
  const answer = await ui.askText(question)
  if (answer === undefined) throw nothingWritten(hint)
  return answer.trim()
}

function nothingWritten(hint: string): AmberError {
  return new AmberError('failed', 'Nobody answered, so nothing was written.', hint)
}

async function askAddress(deps: ProviderCommandDeps, name: string, { earlier, preset }: Known) {
  const known = earlier?.apiBase || preset?.apiBase
  if (known === undefined && preset?.start !== undefined) return ''
  const shown = known?.replace(/[?#].*$/, '')
  const question =
    shown === undefined
      ? `The address of ${name}, such as https://api.${name}.com/v1:`
      : `The address of ${name} (empty: ${shown}):`
  const answer = await ask(deps, question)
  if (answer !== '' || known !== undefined) return answer
  throw new AmberError('failed', `amber does not know where ${name} is.`, 'Nothing was written.')
}

function askModel(deps: ProviderCommandDeps, { earlier, preset }: Known): Promise<string> {
  const known = earlier?.model || preset?.defaultModel
  return ask(deps, `Its model (empty: ${known ? known : 'chosen later with /set model'}):`)
}

async function askKey({ ui }: ProviderCommandDeps, name: string, { earlier, preset }: Known) {
  const keeps = earlier !== undefined && hasKey(earlier)
  const variables = preset?.keyEnv.join(' or ') ?? ''
  const empty = keeps
    ? 'empty: the one there is'
    : variables === ''
      ? 'empty: none'
      : `empty: what stands in ${variables}`
  const answer = await ui.askSecret(`The key of ${name} (it is not shown; ${empty}):`)
  if (answer === undefined) throw nothingWritten(NOBODY)
  return readKeyText(answer)
}

async function remove(deps: ProviderCommandDeps, name: string): Promise<string> {
  if (name === '') throw new AmberError('failed', 'No provider was named.', `See them: ${LIST}`)
  const rows = await deps.providers()
  const row = rows.find((one) => one.name === name)
  if (await removeProviderFile(deps.config, name)) {
    const plugin = row?.plugin ?? null
    const rest = plugin === null ? '' : ` The plugin ${plugin} still brings it: /set plugin off ${plugin}`
    const next = plugin === null ? await chooseNone(deps.settings, name) : ''
    return `Your file of ${name} is deleted, its key included.${rest}${next}`
  }
  if (row === undefined) {
    throw noSuchProvider(deps.snapshot(), name, { names: rows.map((one) => one.name), all: LIST })
  }
  throw new AmberError(
    'failed',
    `You have no file of ${name}: the plugin ${row.plugin ?? ''} brings it.`,
    `To be without it: /set plugin off ${row.plugin ?? ''}`,
  )
}

/** A provider that is gone is not to be looked for at the next start. */
async function chooseNone(settings: ConfigStore, name: string): Promise<string> {
  if ((await settings.read()).provider !== name) return ''
  await settings.set('model', 'null')
  await settings.set('provider', 'null')
  return ' It was the one in use; choose another: /set provider NAME'
}

async function test(deps: ProviderCommandDeps, name: string, signal: AbortSignal): Promise<string> {
  const names = await namesOf(deps)
  if (name !== '' && !names.includes(name)) throw noSuchProvider(deps.snapshot(), name, { names, all: LIST })
  const flags = name === '' ? {} : { provider: name }
  const connection = await deps.connect(flags, { interactive: true, attempts: 1 })
  const trial = await tryProvider(connection, deps.clock, signal)
  const error = await explainTrial(trial, connection, signal)
  if (error !== undefined)
    throw new AmberError('failed', sanitiseLine(error.message), sanitiseText(error.hint))
  return trialText(connection, trial).trimEnd()
}
