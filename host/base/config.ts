import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ConfigFile } from '../../manifests/config-files.gen.ts'
import { isRecord } from '../../sdk/index.ts'
import { writeFileAtomic } from './atomic-file.ts'
import type { Clock } from './clock.ts'
import { AmberError, messageOf, systemCode } from './errors.ts'
import { didYouMean } from './nearest.ts'

/** The user's settings, `<config>/config.json` (interfaces 3). */
export interface ConfigStore {
  readonly file: string
  /** Empty when there is no file. Rejects with an AmberError of code `configuration` when it is invalid. */
  read(): Promise<ConfigFile>
  /** One value by dotted key (`approval.timeoutSeconds`), or undefined when it is not set. Rejects on an unknown key. */
  get(key: string): Promise<unknown>
  /** Sets one value, written as JSON or as plain text; `null` takes it out. Rejects when it does not fit the schema. */
  set(key: string, text: string): Promise<void>
}

/** Every dotted key that the schema knows. */
export async function configKeys(): Promise<readonly string[]> {
  const { schemas } = await import('../../manifests/schemas.ts')
  return keysOf(schemas.config, '')
}

/** Opens the settings of a config folder. Nothing is read before it is asked for. */
export function createConfigStore(folder: string, clock: Clock): ConfigStore {
  const file = join(folder, 'config.json')
  const read = async () => {
    const value = await load(file)
    return value ?? {}
  }
  return {
    file,
    read,
    async get(key) {
      await mustKnow(key)
      return key
        .split('.')
        .reduce<unknown>(
          (value, part) => (isRecord(value) && Object.hasOwn(value, part) ? value[part] : undefined),
          await read(),
        )
    },
    async set(key, text) {
      await mustKnow(key)
      // Only who changes settings pays for the lock (and for its module).
      const { withFileLock } = await import('./file-lock.ts')
      await withFileLock(file, clock, async () => {
        const now = { ...(await load(file)) }
        const next = await firstValid(
          file,
          candidates(text).map((value) => withValue(now, key.split('.'), value)),
        )
        await writeFileAtomic(file, next)
      })
    },
  }
}

/** What the file says, checked like a manifest (interfaces 3); undefined when there is none. */
async function load(file: string): Promise<ConfigFile | undefined> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (thrown) {
    if (systemCode(thrown) === 'ENOENT') return undefined
    throw new AmberError(
      'configuration',
      `${file} cannot be read: ${messageOf(thrown)}`,
      'Look at its rights.',
    )
  }
  return parse(text, file)
}

async function parse(text: string, file: string): Promise<ConfigFile> {
  const { readConfigFile } = await import('../../manifests/read-config-file.ts')
  const { value, diagnostics } = await readConfigFile('config', text, file)
  if (value !== undefined) return value
  const first = diagnostics.find((one) => one.severity === 'error')
  const place = first === undefined ? file : `${first.file}:${first.line}:${first.column}`
  throw new AmberError(
    'configuration',
    `${place} ${first?.message ?? 'the file is not valid'}`,
    first?.hint ?? 'Mend the file, or move it away.',
  )
}

async function mustKnow(key: string): Promise<void> {
  const keys = await configKeys()
  if (keys.includes(key)) return
  const hint = didYouMean(key, keys) || 'amber config get lists what is set.'
  throw new AmberError('failed', `There is no setting ${key}.`, hint)
}

function keysOf(schema: unknown, prefix: string): readonly string[] {
  const properties = isRecord(schema) && isRecord(schema.properties) ? schema.properties : {}
  return Object.entries(properties)
    .filter(([name]) => name !== '$schema')
    .flatMap(([name, property]) => {
      const below = keysOf(property, `${prefix}${name}.`)
      return below.length > 0 ? below : [`${prefix}${name}`]
    })
}

/** What a written value may mean: JSON, else the text itself. */
function candidates(text: string): readonly unknown[] {
  try {
    return [JSON.parse(text), text]
  } catch {
    return [text]
  }
}

/** A copy with one value set, or taken out when it is null. */
function withValue(
  record: Readonly<Record<string, unknown>>,
  [part, ...rest]: readonly string[],
  value: unknown,
): Readonly<Record<string, unknown>> {
  if (part === undefined) return record
  const { [part]: old, ...others } = record
  if (rest.length === 0) return value === null ? others : { ...record, [part]: value }
  return { ...record, [part]: withValue(isRecord(old) ? old : {}, rest, value) }
}

/** The text of the first of the values that the schema takes; rejects with what is wrong with the first one. */
async function firstValid(file: string, values: readonly unknown[]): Promise<string> {
  let wrong: unknown
  for (const value of values) {
    const text = `${JSON.stringify(value, null, 2)}\n`
    try {
      await parse(text, file)
      return text
    } catch (thrown) {
      wrong ??= thrown
    }
  }
  if (!(wrong instanceof AmberError)) throw wrong
  throw new AmberError('failed', wrong.message.replace(/^.*?:\d+:\d+ /, ''), wrong.hint)
}
