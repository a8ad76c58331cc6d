import { isRecord } from '../../../sdk/index.ts'
import { messageOf } from '../../base/errors.ts'

/** A SKILL.md as it reads. */
export type SkillText =
  | { readonly ok: true; readonly name: string; readonly description: string; readonly body: string }
  | { readonly ok: false; readonly error: string }

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const MAX_NAME = 64
const MAX_DESCRIPTION = 1024
/** Words that older YAML readers take for a boolean or null: such a name means something else elsewhere (row L25). */
const TAKEN = new Set(['on', 'off', 'yes', 'no', 'y', 'n', 'true', 'false', 'null'])

/** Reads front matter and body of a SKILL.md. Never rejects: what is wrong is one sentence. */
export async function readSkillText(text: string): Promise<SkillText> {
  const parts = splitFrontMatter(text)
  if (parts === undefined) {
    return { ok: false, error: 'it does not begin with front matter: --- , name, description, ---' }
  }
  const meta = await parseYaml(parts.yaml)
  if (!meta.ok) return meta
  const name = checkName(meta.value.name)
  if (!name.ok) return name
  const description = checkDescription(meta.value.description)
  if (!description.ok) return description
  return { ok: true, name: name.value, description: description.value, body: parts.body }
}

/** Cuts a text at its front matter; undefined when it has none. */
export function splitFrontMatter(text: string): { readonly yaml: string; readonly body: string } | undefined {
  const plain = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
  if (!plain.startsWith('---\n')) return undefined
  const end = /\n---[ \t]*(?:\n|$)/.exec(plain.slice(3))
  if (end === null) return undefined
  return {
    yaml: plain.slice(4, 3 + end.index + 1),
    body: plain.slice(3 + end.index + end[0].length).replace(/^\n+/, ''),
  }
}

type Checked<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: string }

async function parseYaml(yaml: string): Promise<Checked<Readonly<Record<string, unknown>>>> {
  // Only who has skills pays for the YAML reader.
  const { load, CORE_SCHEMA } = await import('js-yaml')
  try {
    const value: unknown = load(yaml, { schema: CORE_SCHEMA })
    if (isRecord(value)) return { ok: true, value }
    return { ok: false, error: 'its front matter is no list of keys and values' }
  } catch (thrown) {
    return { ok: false, error: `its front matter is no YAML: ${messageOf(thrown).split('\n', 1)[0]}` }
  }
}

function checkName(value: unknown): Checked<string> {
  if (typeof value !== 'string')
    return { ok: false, error: `its name must be a text, but is ${kindOf(value)}` }
  if (TAKEN.has(value.toLowerCase())) {
    return {
      ok: false,
      error: `its name, ${value}, is a word that YAML readers take for true, false or null`,
    }
  }
  const error = nameProblem(value)
  return error === undefined ? { ok: true, value } : { ok: false, error: `its name ${error}` }
}

/** What is wrong with a skill's name, or undefined. */
export function nameProblem(name: string): string | undefined {
  if (name.length <= MAX_NAME && NAME.test(name)) return undefined
  return `must be of small letters and digits, words joined by single hyphens, at most ${MAX_NAME} characters`
}

function checkDescription(value: unknown): Checked<string> {
  if (typeof value !== 'string') {
    return { ok: false, error: `its description must be a text, but is ${kindOf(value)}` }
  }
  const text = value.replace(/\s+/g, ' ').trim()
  if (text === '') return { ok: false, error: 'its description is empty' }
  if (text.length <= MAX_DESCRIPTION) return { ok: true, value: text }
  return {
    ok: false,
    error: `its description has ${text.length} characters; at most ${MAX_DESCRIPTION} are used`,
  }
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'empty'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'a map' : `a ${typeof value}`
}
