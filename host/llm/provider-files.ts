import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ProviderFile } from '../../manifests/config-files.gen.ts'
import type { Diagnostic } from '../../manifests/diagnostic.ts'
import { writeFileAtomic } from '../base/atomic-file.ts'
import { AmberError, messageOf, systemCode } from '../base/errors.ts'

/** The user's own providers, `<config>/providers/NAME.json` (PRO-6), by the name that each goes by. */
export interface ProviderFiles {
  readonly files: ReadonlyMap<string, ProviderFile>
  /** What is wrong with files; one with an error is left out. */
  readonly diagnostics: readonly Diagnostic[]
}

const MAX_FILES = 1000
/** Shorter texts are no keys. */
const LEAST_KEY = 8
const NAME = /^[a-zA-Z0-9][a-zA-Z0-9_-]{0,63}$/

/** Reads them all. No folder is no provider; a file that cannot be read is a diagnostic. */
export async function readProviderFiles(config: string): Promise<ProviderFiles> {
  const folder = join(config, 'providers')
  const names = (await listFolder(folder)).filter((name) => name.endsWith('.json')).sort()
  const files = new Map<string, ProviderFile>()
  const diagnostics: Diagnostic[] = []
  for (const name of names.slice(0, MAX_FILES)) {
    const path = join(folder, name)
    const reading = await readOne(path)
    diagnostics.push(...reading.diagnostics)
    if (reading.value === undefined) continue
    const own = reading.value.provider ?? name.slice(0, -'.json'.length)
    if (!files.has(own)) files.set(own, reading.value)
  }
  return { files, diagnostics }
}

async function listFolder(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder)
  } catch {
    return []
  }
}

async function readOne(
  path: string,
): Promise<{ readonly value?: ProviderFile; readonly diagnostics: readonly Diagnostic[] }> {
  try {
    // Most users have no such file, and then need no validator.
    const { readConfigFile } = await import('../../manifests/read-config-file.ts')
    const text = await readFile(path, 'utf8')
    const { diagnostics, ...reading } = await readConfigFile('provider', text, path)
    return { ...reading, diagnostics: diagnostics.map((one) => withoutValues(one, text)) }
  } catch (thrown) {
    return { diagnostics: [unreadable(path, messageOf(thrown))] }
  }
}

/** A key may stand in any field by mistake: what is said of a file names its fields, never what stands in them (PRO-13). */
function withoutValues(diagnostic: Diagnostic, text: string): Diagnostic {
  const values = [...text.matchAll(/:\s*"((?:[^"\\]|\\.)*)"/g)].map(([, value = '']) => value)
  const isValue = (quoted: string) =>
    quoted.length >= LEAST_KEY && !quoted.includes('://') && values.some((value) => value.startsWith(quoted))
  const message = diagnostic.message.replace(/"([^"…]*)["…]/g, (whole, quoted: string) =>
    isValue(quoted) ? 'what stands here' : whole,
  )
  return { ...diagnostic, message }
}

function unreadable(file: string, why: string): Diagnostic {
  return { severity: 'error', code: 'AMB1001', file, line: 1, column: 1, path: '', message: why }
}

/** Writes one, readable by its owner only. Throws an AmberError for a name that no file can have. */
export async function writeProviderFile(config: string, name: string, file: ProviderFile): Promise<string> {
  const path = pathOf(config, name)
  await writeFileAtomic(path, `${JSON.stringify({ provider: name, ...file }, null, 2)}\n`)
  return path
}

/** Removes one; false when there was none. */
export async function removeProviderFile(config: string, name: string): Promise<boolean> {
  try {
    await rm(pathOf(config, name))
    return true
  } catch (thrown) {
    if (systemCode(thrown) === 'ENOENT') return false
    throw thrown
  }
}

function pathOf(config: string, name: string): string {
  if (NAME.test(name)) return join(config, 'providers', `${name}.json`)
  throw new AmberError(
    'usage',
    `"${name}" cannot be a provider's name.`,
    'Use letters, digits, _ and -, a letter or digit first, 64 at most.',
  )
}
