import type { ErrorObject } from 'ajv'
import { isRecord } from '../sdk/index.ts'
import { recordOf } from './declared.ts'
import { type Finding, type Path, pathOfPointer } from './finding.ts'
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
    partOf: (error) => partOf(schemas[name], error, data),
    nounOf: (path) => nounOf(name, path),
  })
}

interface Part {
  readonly schema: Readonly<Record<string, unknown>>
  /** The key under `$defs` that it stands at. */
  readonly definition: string | undefined
}

function partOf(root: unknown, error: ErrorObject, data: unknown): unknown {
  const { schema } = partAt(root, pathOfPointer(error.instancePath, data))
  return error.propertyName === undefined ? schema : schema.propertyNames
}

/** The schema of the value at a path. Possible because amber's own schemas have no unions. */
function partAt(root: unknown, path: Path): Part {
  return path.reduce<Part>((part, step) => follow(root, childOf(part.schema, step)), follow(root, root))
}

function childOf(schema: Readonly<Record<string, unknown>>, step: string | number): unknown {
  if (typeof step === 'number') return schema.items
  const properties = recordOf(schema.properties)
  return Object.hasOwn(properties, step) ? properties[step] : schema.additionalProperties
}

/** Follows a reference; what stands beside it (a description) wins. */
function follow(root: unknown, schema: unknown): Part {
  if (!isRecord(schema)) return { schema: {}, definition: undefined }
  const { $ref, ...beside } = schema
  if (typeof $ref !== 'string') return { schema, definition: undefined }
  const definition = $ref.replace('#/$defs/', '')
  const target = follow(root, recordOf(recordOf(root).$defs)[definition])
  return { schema: { ...target.schema, ...beside }, definition }
}

function nounOf(name: SchemaName, path: Path): string {
  if (path.length === 0) return wholeFile[name]
  const { definition } = partAt(schemas[name], path)
  if (definition === undefined || definition === 'capabilities') return `"${String(path.at(-1))}"`
  return withArticle(definition.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`))
}
