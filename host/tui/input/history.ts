import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolder } from '../../base/make-folder.ts'
import type { EditorHistory } from './editor.ts'

const MOST = 1000
/** Longer inputs are kept for this run only. */
const MOST_LENGTH = 100_000

/** What was typed in earlier runs, one JSON string a line, in a file that only the user may read. */
export async function openHistory(file: string): Promise<EditorHistory & { saved(): Promise<void> }> {
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n')
  const entries = lines
    .slice(-2 * MOST)
    .flatMap(entryOf)
    .slice(-MOST)
  let writing: Promise<void> = Promise.resolve()
  if (lines.length > 2 * MOST) writing = writeAll(file, entries)
  return {
    entries,
    add(text) {
      if (entries.at(-1) === text) return
      entries.push(text)
      if (entries.length > MOST) entries.shift()
      if (text.length <= MOST_LENGTH) writing = writing.then(() => append(file, text))
    },
    saved: () => writing,
  }
}

function entryOf(line: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'string' ? [value] : []
  } catch {
    return []
  }
}

/** A history that cannot be written is no reason to stop anybody. */
async function append(file: string, text: string): Promise<void> {
  try {
    makeFolder(dirname(file), { mode: 0o700 })
  } catch {
    // Without a folder there is no history, and nothing else suffers.
  }
  await appendFile(file, `${JSON.stringify(text)}\n`, { mode: 0o600 }).catch(() => undefined)
}

async function writeAll(file: string, entries: readonly string[]): Promise<void> {
  const text = entries.map((one) => `${JSON.stringify(one)}\n`).join('')
  await writeFile(file, text, { mode: 0o600 }).catch(() => undefined)
}
