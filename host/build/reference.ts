import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { diagnosticCodes } from '../../manifests/diagnostic-codes.ts'
import { schemas } from '../../manifests/schemas.ts'
import { isRecord } from '../../sdk/index.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const target = join(root, 'sdk', 'guide', 'reference.md')

type Schema = Readonly<Record<string, unknown>>

const HEAD = `<!-- Made by \`node --import tsx host/build/reference.ts\` from manifests/plugin.schema.json and sdk/*.ts. Do not edit. -->

# Reference

Every key of \`plugin.json\`, every type of \`amber-agent/sdk\`, every code of a finding. [The guide](README.md) says how to use them.
`

/** The reference's text: from the manifest's schema and the SDK's sources, and nothing else. Same sources, same bytes. */
export function referenceText(): string {
  return [HEAD, manifestPart(), typesPart(), codesPart()].join('\n')
}

function manifestPart(): string {
  const schema: Schema = schemas.plugin
  const defs = recordOf(schema.$defs)
  const tables = Object.entries(defs).flatMap(([name, def]) => {
    const { title, description, properties } = recordOf(def)
    if (typeof title !== 'string' || !isRecord(properties)) return []
    const told = typeof description === 'string' ? `${description}\n\n` : ''
    return [`### ${name}\n\n${told}${keysTable(recordOf(def), defs)}`]
  })
  return ['## The manifest\n', keysTable(schema, defs), ...tables].join('\n')
}

function keysTable(schema: Schema, defs: Schema): string {
  const required = Array.isArray(schema.required) ? schema.required : []
  const rows = Object.entries(recordOf(schema.properties)).map(([key, given]) => {
    const own = recordOf(given)
    const property = { ...resolved(own, defs), ...own }
    const name = required.includes(key) ? `**\`${key}\`**` : `\`${key}\``
    return `| ${name} | ${typeOf(property, own)} | ${defaultOf(property)} | ${cell(textOf(property))} |`
  })
  return ['| key | is | default | |', '|---|---|---|---|', ...rows, ''].join('\n')
}

function typeOf(property: Schema, own: Schema): string {
  if (Array.isArray(property.enum)) return property.enum.map((one) => `\`${String(one)}\``).join(', ')
  const name = nameOf(own.$ref)
  if (property.type === 'array') {
    const items = recordOf(property.items)
    const of = nameOf(items.$ref)
    if (of !== undefined) return `list of [${of}](#${of.toLowerCase()})`
    const values = Array.isArray(items.enum)
      ? ` of ${items.enum.map((one) => `\`${String(one)}\``).join(', ')}`
      : ''
    return `list${values}`
  }
  if (name !== undefined && isRecord(property.properties)) return `[${name}](#${name.toLowerCase()})`
  return [String(property.type ?? 'anything'), bounds(property)].filter((text) => text !== '').join(' ')
}

function bounds({ minimum, maximum }: Schema): string {
  return minimum === undefined || maximum === undefined ? '' : `${String(minimum)} to ${String(maximum)}`
}

function defaultOf({ default: value }: Schema): string {
  const text = value === undefined ? '' : JSON.stringify(value)
  return text === '' || text.length > 60 ? '' : cell(`\`${text}\``)
}

function textOf({ description, examples }: Schema): string {
  const [example]: unknown[] = Array.isArray(examples) ? examples : []
  const told = typeof description === 'string' ? description : ''
  return example === undefined ? told : `${told} Such as \`${JSON.stringify(example)}\`.`
}

function resolved({ $ref }: Schema, defs: Schema): Schema {
  const name = nameOf($ref)
  return name === undefined ? {} : recordOf(defs[name])
}

function nameOf(ref: unknown): string | undefined {
  return typeof ref === 'string' ? ref.split('/').at(-1) : undefined
}

/** The SDK's exported declarations, in the order of its index, as they stand in its sources. */
function typesPart(): string {
  const sdk = join(root, 'sdk')
  const index = readFileSync(join(sdk, 'index.ts'), 'utf8')
  const files = [...index.matchAll(/from '\.\/([^']+)'/g)].map(([, file = '']) => file)
  const parts = files.map((file) => {
    const declarations = exportsIn(readFileSync(join(sdk, file), 'utf8'))
    return declarations.length === 0 ? '' : `### ${file}\n\n\`\`\`ts\n${declarations.join('\n\n')}\n\`\`\`\n`
  })
  return ['## The types\n', ...parts.filter((part) => part !== '')].join('\n')
}

/** Top-level declarations with their comments; bodies of functions are left out. */
function exportsIn(source: string): readonly string[] {
  const blocks = source.split(/\n(?=\/\*\*|export |(?:import|type|interface|const|function) )/)
  const found: string[] = []
  let comment = ''
  for (const block of blocks.map((one) => one.trim())) {
    if (/^\/\*\*[\s\S]*\*\/$/.test(block)) comment = block
    else if (block.startsWith('export ') && !block.startsWith('export {'))
      found.push(`${comment}\n${signature(block)}`.trim())
    if (!/^\/\*\*[\s\S]*\*\/$/.test(block)) comment = ''
  }
  return found
}

function signature(block: string): string {
  return block.startsWith('export function') ? block.replace(/ \{\n[\s\S]*$/, '') : block
}

function codesPart(): string {
  const rows = Object.entries(diagnosticCodes).map(([code, means]) => `| \`${code}\` | ${cell(means)} |`)
  return ['## The codes of findings\n', '| code | means |', '|---|---|', ...rows, ''].join('\n')
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}

function recordOf(value: unknown): Schema {
  return isRecord(value) ? value : {}
}

if (process.argv[1] === import.meta.filename) writeFileSync(target, referenceText())
