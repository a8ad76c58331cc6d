import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Recorded bodies that lie beside a checkout: `AMBER_WIRE_CORPUS`, or `../shared/fixtures`. They are never part of it. */
export interface WireFixture {
  readonly name: string
  /** `.sse` or `.json`. */
  readonly extension: string
  readonly body: Buffer
  readonly expected: Readonly<Record<string, unknown>>
}

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

/** Why the corpus cannot be read, for `t.skip`; undefined when it is there. */
export const corpusMissing: string | undefined = existsSync(folder('openai'))
  ? undefined
  : 'the recorded wire bodies are not beside this checkout (AMBER_WIRE_CORPUS or ../shared/fixtures)'

function folder(dialect: string): string {
  return join(process.env.AMBER_WIRE_CORPUS ?? join(ROOT, '..', 'shared', 'fixtures'), 'open', dialect)
}

/** Every recorded body of one folder, with what is expected of it; empty when the corpus is absent. */
export function readCorpus(dialect: string): readonly WireFixture[] {
  if (corpusMissing !== undefined) return []
  const at = folder(dialect)
  return readdirSync(at)
    .filter((file) => /\.(sse|json)$/.test(file) && !file.endsWith('.expected.json'))
    .sort()
    .map((file) => {
      const extension = file.slice(file.lastIndexOf('.'))
      const name = file.slice(0, -extension.length)
      return {
        name,
        extension,
        body: readFileSync(join(at, file)),
        expected: JSON.parse(readFileSync(join(at, `${name}.expected.json`), 'utf8')),
      }
    })
}
