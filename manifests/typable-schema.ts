import { isRecord } from '../sdk/index.ts'
import { recordOf } from './declared.ts'

/** Keywords through which a schema could put code, files or names of its own into generated types (MAN-8). */
const refused = new Set(['$id', '$schema', 'extends', 'id', 'implements', 'title', 'tsEnumNames', 'tsType'])
const unneeded = new Set(['default', 'examples'])
const byName = new Set(['$defs', 'definitions', 'dependentSchemas', 'patternProperties', 'properties'])
const data = new Set(['const', 'enum', 'required'])

/**
 * A copy of a tool's schema that is safe to make types from: extensions of the generator, titles and ids are gone, no
 * description ends the comment that it will stand in, and every definition of the schema has the name that
 * `nameDefinition` gives it.
 */
export function typableSchema(
  schema: Readonly<Record<string, unknown>>,
  nameDefinition: (key: string) => string,
): Record<string, unknown> {
  const names = new Map<string, string>()
  for (const definitions of [schema.$defs, schema.definitions]) {
    for (const key of Object.keys(recordOf(definitions)))
      if (!names.has(key)) names.set(key, nameDefinition(key))
  }
  const copy = copyRecord(schema, names)
  for (const key of ['$defs', 'definitions']) {
    if (isRecord(copy[key])) copy[key] = renameKeys(copy[key], names)
  }
  return copy
}

type Names = ReadonlyMap<string, string>

function renameKeys(record: Readonly<Record<string, unknown>>, names: Names): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [names.get(key) ?? key, value]))
}

function copyRecord(schema: Readonly<Record<string, unknown>>, names: Names): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(schema)) {
    if (!refused.has(key) && !unneeded.has(key)) copy[key] = copyKeyword(key, value, names)
  }
  return copy
}

function copyKeyword(key: string, value: unknown, names: Names): unknown {
  if (key === 'description') return commentText(value)
  if (key === '$ref' && typeof value === 'string') return renameReference(value, names)
  if (data.has(key)) return value
  if (!byName.has(key) || !isRecord(value)) return copyAny(value, names)
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, copyAny(one, names)]))
}

function copyAny(value: unknown, names: Names): unknown {
  if (Array.isArray(value)) return value.map((one) => copyAny(one, names))
  return isRecord(value) ? copyRecord(value, names) : value
}

function renameReference(reference: string, names: Names): string {
  return reference.replace(/^#\/(\$defs|definitions)\/([^/]+)/, (whole, list: string, key: string) => {
    const name = names.get(key.replaceAll('~1', '/').replaceAll('~0', '~'))
    return name === undefined ? whole : `#/${list}/${name}`
  })
}

/** A text of the manifest as the text of a comment. */
export function commentText(text: unknown): string {
  return String(text)
    .replaceAll('*/', '* /')
    .replace(/[\0-\x08\x0b-\x1f\x7f\u2028\u2029]/g, ' ')
}
