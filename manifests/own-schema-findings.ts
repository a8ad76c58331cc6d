import type { ErrorObject } from 'ajv'
import type { Finding, Path } from './finding.ts'
import { valueAt } from './finding.ts'
import { schemaFindings, withArticle } from './schema-findings.ts'
import { type SchemaName, schemas } from './schemas.ts'

const wholeFile: Readonly<Record<SchemaName, string>> = {
  plugin: 'a manifest',
  completions: 'a command tree',
  config: 'config.json',
  provider: 'a provider file',
  pluginState: 'a plugin’s state',
  mcp: 'mcp.json',
}

/** The errors of one of amber's own validators as findings about the data. */
export function ownSchemaFindings(
  name: SchemaName,
  data: unknown,
  errors: readonly ErrorObject[] | null | undefined,
): Finding[] {
  return schemaFindings(errors ?? [], {
    data,
    partOf: (error) => partAt(schemas[name], error.schemaPath),
    nounOf: (error, path) => nounOf(name, error, path),
  })
}

/** The schema that holds the keyword at a schema path. */
function partAt(schema: unknown, schemaPath: string): unknown {
  const steps = schemaPath.replace(/^#\//, '').split('/').map(unescape)
  // A property name's rule is told by the pattern it broke.
  return valueAt(schema, steps.slice(0, -1))
}

function unescape(step: string): string {
  return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
}

function nounOf(name: SchemaName, error: ErrorObject, path: Path): string {
  const definition = /^#\/\$defs\/(\w+)\/additionalProperties$/.exec(error.schemaPath)?.[1]
  if (path.length === 0) return wholeFile[name]
  if (definition === undefined || definition === 'capabilities') return String(path.at(-1))
  return withArticle(definition.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`))
}
