import { writeFile } from 'node:fs/promises'
import { compile } from 'json-schema-to-typescript'
import { type SchemaName, schemas } from './schemas.ts'

/** The files that are generated from amber's own schemas, and what goes into each. */
const targets: Readonly<Record<string, readonly SchemaName[]>> = {
  'manifest.gen.ts': ['plugin'],
  'config-files.gen.ts': ['completions', 'config', 'provider', 'pluginState', 'mcp'],
}

/** The text of each generated file, by name. Same schemas, same bytes. */
export async function generateOwnTypes(): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>()
  for (const [file, names] of Object.entries(targets)) texts.set(file, await generateFile(names))
  return texts
}

async function generateFile(names: readonly SchemaName[]): Promise<string> {
  const parts = ['// Generated from the schemas beside this file by generate-own-types.ts. Do not edit.\n']
  for (const name of names) {
    // A copy, as the generator wants a mutable schema; x-… keys would make every object an open one.
    const schema = JSON.parse(
      JSON.stringify(schemas[name], (key, value) => (key === 'patternProperties' ? undefined : value)),
    )
    parts.push(await compile(schema, schema.title, { bannerComment: '', ignoreMinAndMaxItems: true }))
  }
  return parts.join('\n')
}

if (process.argv[1] === import.meta.filename) {
  for (const [file, text] of await generateOwnTypes()) await writeFile(new URL(file, import.meta.url), text)
}
