import { readFile, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { messageOf } from '../base/errors.ts'
import type { Outcome } from '../base/outcome.ts'
import type { Contribution } from './contribution.ts'

/** A prompt or a skill is read into a model's context: a larger file is a mistake. Bytes. */
export const DATA_FILE_LIMIT = 256 * 1024

/**
 * Reads a file that a manifest names, when it is first wanted, and keeps its text for as long as the contribution
 * lives: the same bytes in every turn (PRM-3). Links may not lead out of the plugin's folder.
 */
export function dataFile(
  contribution: Contribution<unknown>,
  label: string,
  file: string,
): () => Promise<Outcome<string>> {
  let reading: Promise<Outcome<string>> | undefined
  return () => {
    reading ??= readDataFile(contribution.folder, file).then((read): Outcome<string> => {
      if (read.ok) return { kind: 'value', value: read.text }
      const diagnostic = {
        severity: 'error',
        code: 'AMB3002',
        file: join(contribution.folder, 'plugin.json'),
        line: 1,
        column: 1,
        path: '',
        message: `plugin ${contribution.plugin}: ${label}: ${read.error}`,
      } as const
      return { kind: 'fault', fault: { plugin: contribution.plugin, label, reason: 'threw', diagnostic } }
    })
    return reading
  }
}

/** Reads a text file inside a plugin's folder; never throws. */
export async function readDataFile(
  folder: string,
  file: string,
): Promise<{ readonly ok: true; readonly text: string } | { readonly ok: false; readonly error: string }> {
  try {
    const [root, path] = await Promise.all([realpath(folder), realpath(join(folder, file))])
    if (!path.startsWith(root + sep)) return { ok: false, error: `${file} leads out of the plugin's folder` }
    const { size } = await stat(path)
    if (size > DATA_FILE_LIMIT) {
      return { ok: false, error: `${file} has ${size} bytes; at most ${DATA_FILE_LIMIT} are read` }
    }
    const text = await readFile(path, 'utf8')
    return { ok: true, text: text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n') }
  } catch (thrown) {
    return { ok: false, error: `${file} cannot be read: ${messageOf(thrown)}` }
  }
}
