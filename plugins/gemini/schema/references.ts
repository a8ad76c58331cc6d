import { type JsonRecord, listOf, recordOf } from 'amber-agent/sdk'

const MOST_HOPS = 16

/** The schema itself, with local `$ref`s followed and `allOf` merged in. A reference that leads nowhere says nothing. */
export function resolveSchema(schema: JsonRecord, root: JsonRecord): JsonRecord {
  let resolved = schema
  for (let hop = 0; typeof resolved.$ref === 'string' && hop < MOST_HOPS; hop++) {
    const { $ref, ...own } = resolved
    resolved = { ...target(String($ref), root), ...own }
  }
  const { $ref: _, allOf, ...own } = resolved
  let merged: JsonRecord = own
  for (const part of listOf(allOf)) {
    const member = recordOf(part)
    if (member !== undefined) merged = mergeSchemas(resolveOnce(member, root), merged)
  }
  return merged
}

/** Both hold: properties and required of both; of other members the second's. */
export function mergeSchemas(first: JsonRecord, second: JsonRecord): JsonRecord {
  const properties = { ...recordOf(first.properties), ...recordOf(second.properties) }
  const required = [...new Set([...listOf(first.required), ...listOf(second.required)])]
  return {
    ...first,
    ...second,
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...(required.length === 0 ? {} : { required }),
  }
}

/** A member of `allOf`: its own reference is followed, a second level of `allOf` is left out. */
function resolveOnce(member: JsonRecord, root: JsonRecord): JsonRecord {
  const { allOf: _, ...own } =
    typeof member.$ref === 'string' ? { ...target(member.$ref, root), ...member } : member
  const { $ref: __, ...rest } = own
  return rest
}

function target(reference: string, root: JsonRecord): JsonRecord {
  if (!reference.startsWith('#')) return {}
  let at: unknown = root
  for (const token of reference.slice(1).split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~')
    const holder = recordOf(at)
    at = holder !== undefined && Object.hasOwn(holder, name) ? holder[name] : undefined
  }
  return recordOf(at) ?? {}
}
