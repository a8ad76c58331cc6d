import type { ToolDeclaration } from './manifest.ts'
import { typableSchema } from './typable-schema.ts'
import { freeName, typeName } from './type-names.ts'

/** The type of one tool's arguments. */
export interface ArgumentTypes {
  /** The name of the type, or `unknown`. */
  readonly name: string
  /** Its declarations; empty for `unknown`. */
  readonly text: string
  /** Why there is no type. */
  readonly fault?: string
}

/**
 * Makes the type of a tool's arguments with json-schema-to-typescript, which is loaded at the first call. A schema
 * that cannot be typed gives `unknown` (contract MAN-4). Nothing is fetched and no file is read (MAN-8).
 *
 * @param used names that are taken in the file; the new ones are added
 */
export async function argumentTypes(tool: ToolDeclaration, used: Set<string>): Promise<ArgumentTypes> {
  const name = freeName(`${typeName(tool.name)}Arguments`, used)
  try {
    const text = await compileTypes(tool, name)
    const others = exportedNames(text).filter((one) => one !== name)
    if (!exportedNames(text).includes(name)) return unknownType('the generator named it differently')
    const clash = others.find((one) => used.has(one))
    if (clash !== undefined) return unknownType(`it needs the type name ${clash}, which is taken`)
    for (const one of others) used.add(one)
    return { name, text }
  } catch (thrown) {
    return unknownType(thrown instanceof Error ? thrown.message : String(thrown))
  }
}

function unknownType(fault: string): ArgumentTypes {
  return { name: 'unknown', text: '', fault }
}

async function compileTypes(tool: ToolDeclaration, name: string): Promise<string> {
  const { compile } = await import('json-schema-to-typescript')
  const described = { type: 'object', ...tool.parameters, description: `Arguments of the tool ${tool.name}.` }
  // Definitions get the tool's own name in front, so that those of two tools never meet.
  const schema = typableSchema(described, (key) => `${name}${typeName(key)}`)
  return compile(schema, name, {
    $refOptions: { resolve: { external: false, file: false, http: false } },
    additionalProperties: false,
    bannerComment: '',
    format: false,
    ignoreMinAndMaxItems: true,
    unknownAny: true,
  })
}

function exportedNames(text: string): string[] {
  return [...text.matchAll(/^export (?:interface|type) ([\w$]+)/gm)].flatMap((match) => match[1] ?? [])
}
