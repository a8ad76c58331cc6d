import type { ProviderFile } from '../../../manifests/config-files.gen.ts'
import type { App } from '../../app/app.ts'
import { checkFlavor, checkProviderFile, clearTextWarning, hasKey } from '../../app/provider-checks.ts'
import { AmberError } from '../../base/errors.ts'
import { didYouMean } from '../../base/nearest.ts'
import { EXIT } from '../../headless/exit-code.ts'
import { readProviderFiles, writeProviderFile } from '../../llm/provider-files.ts'
import type { InstalledPreset } from '../../registry/snapshot.ts'
import type { CliContext } from '../context.ts'
import { pathsOf } from '../open-app.ts'
import { withProviders } from './open.ts'
import { readKey } from './read-key.ts'

/** The options of `amber provider add NAME`; address and model are options of any run. */
export interface AddOptions {
  readonly name: string
  /** The variable that holds the key: then none is asked for, and none is stored. */
  readonly keyEnv?: string
  readonly flavor?: string
  /** Wait for the key on standard input to its end. */
  readonly keyStdin?: boolean
  /** False for `--no-key`: the endpoint needs none. */
  readonly key?: boolean
}

/** What is known before the key is. */
interface Draft {
  readonly options: AddOptions
  readonly preset: InstalledPreset | undefined
  /** What an earlier `add` wrote. */
  readonly earlier: ProviderFile | undefined
}

/**
 * `amber provider add NAME`: stores an endpoint or a key in the user's provider file, which its owner alone can read.
 * What an earlier one stored stays where nothing else is given. The key is typed without echo, or piped in.
 */
export function add(options: AddOptions, context: CliContext): Promise<number> {
  const { io } = context
  const { name } = options
  return withProviders(context, async (app) => {
    const { config } = pathsOf(context)
    const { files } = await readProviderFiles(config)
    const preset = app.snapshot().providers.presets.get(name)
    const draft = { options, preset, earlier: files.get(name) }
    checkFlavor(options.flavor, app.snapshot())
    const before = withoutKey(draft, context)
    checkAddress(before, draft, app)
    const { apiKey, ...rest } = { ...before, ...(await keyFields(draft, context)) }
    const file = apiKey ? { ...rest, apiKey } : rest
    await checkProviderFile(file, name)
    const path = await writeProviderFile(config, name, file)
    io.out.write(`Stored ${name} in ${path}, which you alone can read.\n`)
    io.out.write(nextStep(name, file, preset))
    const warning = clearTextWarning(file, preset)
    if (warning !== undefined) io.err.write(`${warning}\n`)
    return EXIT.done
  })
}

function withoutKey({ options, earlier }: Draft, { global }: CliContext): ProviderFile {
  const { provider: _, ...kept } = earlier ?? {}
  return {
    ...kept,
    ...(global.apiBase === undefined ? {} : { apiBase: global.apiBase }),
    ...(global.model === undefined ? {} : { model: global.model }),
    ...(options.flavor === undefined ? {} : { flavor: options.flavor }),
  }
}

/** A new key takes the place of the old one, wherever that stood; without one everything stays. */
async function keyFields({ options, preset, earlier }: Draft, context: CliContext): Promise<ProviderFile> {
  const { name, keyEnv } = options
  if (options.key === false) return { apiKey: '', requiresKey: false }
  if (keyEnv !== undefined) return { apiKey: '', apiKeyEnv: keyEnv, requiresKey: true }
  const keeps = earlier !== undefined && hasKey(earlier)
  const empty = keeps ? 'empty keeps the one there is' : 'empty for none'
  const question = `Key of ${name} (nothing is shown as you type; ${empty}): `
  const key = await readKey(question, context, { waitForInput: options.keyStdin === true })
  if (key !== '') return { apiKey: key, requiresKey: true }
  if (preset?.requiresKey && !keeps) {
    const variables = preset.keyEnv.length > 0 ? ` It is looked for in ${preset.keyEnv.join(' or ')}.` : ''
    context.io.err.write(`No key is stored, and ${name} needs one.${variables}\n`)
  }
  return {}
}

/** What neither the user nor a plugin knows the address of is nothing that can be asked. */
function checkAddress(file: ProviderFile, { options, preset }: Draft, app: App): void {
  if (file.apiBase || preset?.apiBase || preset?.start) return
  const { name } = options
  const gone = app.snapshot().unavailable.get(`provider:${name}`)
  if (gone !== undefined) {
    const message = `The plugin ${gone.plugin}, which knows the address of ${name}, ${gone.why}.`
    throw new AmberError('failed', message, `${gone.remedy}, or give --api-base URL`)
  }
  const near = didYouMean(name, app.snapshot().providers.presets.keys())
  const hint = `Give it: amber provider add ${name} --api-base https://… --model NAME`
  throw new AmberError(
    'failed',
    `amber does not know where ${name} is.`,
    near === '' ? hint : `${near} ${hint}`,
  )
}

function nextStep(name: string, file: ProviderFile, preset: InstalledPreset | undefined): string {
  const needsModel = !file.model && !preset?.defaultModel
  return needsModel
    ? `See its models: amber provider models ${name}\nUse one from now on: amber provider use ${name} --model NAME\n`
    : `Try it: amber provider test ${name}\nUse it from now on: amber provider use ${name}\n`
}
