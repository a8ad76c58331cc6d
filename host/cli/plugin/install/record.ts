import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isRecord } from '../../../../sdk/index.ts'

/** The file in an installed plugin that says where it came from. */
export const RECORD_FILE = '.amber-install.json'

/** Where an installed plugin came from. */
export interface InstallRecord {
  /** What to fetch for an update: an absolute path, `npm:NAME` or `git:URL`. */
  readonly spec: string
  /** What was fetched, exactly: a hash of the files, of the package, or a commit. */
  readonly exact: string
  readonly version: string
  /** ISO 8601. */
  readonly installedAt: string
}

/** Reads the record of an installed plugin; undefined when there is none that can be read. */
export async function readRecord(folder: string): Promise<InstallRecord | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(join(folder, RECORD_FILE), 'utf8'))
    if (!isRecord(value)) return undefined
    const { spec, exact, version, installedAt } = value
    if (typeof spec !== 'string' || typeof exact !== 'string') return undefined
    if (typeof version !== 'string' || typeof installedAt !== 'string') return undefined
    return { spec, exact, version, installedAt }
  } catch {
    return undefined
  }
}

/** Writes the record into a folder that nobody uses yet. */
export async function writeRecord(folder: string, record: InstallRecord): Promise<void> {
  await writeFile(join(folder, RECORD_FILE), `${JSON.stringify(record, null, 2)}\n`)
}
