import type { Snapshot } from './snapshot.ts'

/** The annotation of a manifest's parameter whose legal values live in a registry. */
const ANNOTATION = 'x-amber-choices-from'

/** The registries whose names can be choices; the annotation's value is the key. */
const SOURCES: Readonly<Record<string, (snapshot: ChoiceSnapshot) => Iterable<string>>> = {
  searchBackends: (snapshot) => snapshot.searchBackends.keys(),
  skills: (snapshot) => snapshot.skills.keys(),
}

type ChoiceSnapshot = Pick<Snapshot, 'searchBackends' | 'skills'>

type Schema = Readonly<Record<string, unknown>>

/**
 * Parameters as a model is to see them: each top-level property annotated with `x-amber-choices-from` gets an `enum`
 * of what is installed now, and a description that lists it (bundled-plugins 3, `search`). Pure: same snapshot, same
 * bytes (PRM-3); without an annotation the very same object comes back. Arguments are still validated against the
 * manifest's own schema, so that a name which has gone gets the tool's better error (SEA-1).
 */
export function fillChoices(parameters: Schema, snapshot: ChoiceSnapshot): Schema {
  const { properties } = parameters
  if (!isSchema(properties)) return parameters
  const filled = Object.entries(properties).map(
    ([name, property]) => [name, fillProperty(property, snapshot)] as const,
  )
  if (filled.every(([name, property]) => property === properties[name])) return parameters
  return { ...parameters, properties: Object.fromEntries(filled) }
}

function fillProperty(property: unknown, snapshot: ChoiceSnapshot): unknown {
  if (!isSchema(property) || !(ANNOTATION in property)) return property
  const { [ANNOTATION]: source, ...rest } = property
  const list = typeof source === 'string' && Object.hasOwn(SOURCES, source) ? SOURCES[source] : undefined
  if (!list) return rest
  const choices = [...list(snapshot)]
  const said = typeof rest.description === 'string' ? `${rest.description} ` : ''
  if (choices.length === 0) return { ...rest, description: `${said}None is enabled now.` }
  return { ...rest, enum: choices, description: `${said}Enabled: ${choices.join(', ')}.` }
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
