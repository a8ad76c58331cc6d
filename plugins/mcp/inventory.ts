/** A tool as its server describes it. */
export interface ServerTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: Readonly<Record<string, unknown>>
}

/** A prompt that a server offers. */
export interface ServerPrompt {
  readonly name: string
  readonly description: string
  readonly arguments: readonly { readonly name: string; readonly required: boolean }[]
}

/** Something that a server lets be read; `uri` may be a template with `{placeholders}`. */
export interface ServerResource {
  readonly uri: string
  readonly name: string
  readonly description: string
}

/** Everything that a server has. */
export interface Inventory {
  readonly tools: readonly ServerTool[]
  readonly prompts: readonly ServerPrompt[]
  readonly resources: readonly ServerResource[]
}

/** Of each kind, so many of one server are taken. */
export const MOST_ITEMS = 300

/** UTF-16 units of a tool's schema as JSON; a larger one would fill the model's context. */
const LARGEST_SCHEMA = 100_000

/** Takes an inventory from anything, a server's answer or a kept one: what is not well formed is left out. */
export function readInventory(value: unknown): Inventory {
  const { tools, prompts, resources } = recordOf(value)
  return {
    tools: recordsIn(tools).flatMap(readTool),
    prompts: recordsIn(prompts).flatMap(readPrompt),
    resources: recordsIn(resources).flatMap(readResource),
  }
}

function readTool(tool: Readonly<Record<string, unknown>>): readonly ServerTool[] {
  const { name, inputSchema } = tool
  if (typeof name !== 'string' || name === '' || name.length > 1000) return []
  const schema = recordOf(inputSchema)
  if (schema.type !== undefined && schema.type !== 'object') return []
  if (JSON.stringify(schema).length > LARGEST_SCHEMA) return []
  return [{ name, description: textOf(tool.description) || textOf(tool.title), inputSchema: schema }]
}

function readPrompt(prompt: Readonly<Record<string, unknown>>): readonly ServerPrompt[] {
  const { name } = prompt
  if (typeof name !== 'string' || name === '') return []
  const args = recordsIn(prompt.arguments).flatMap((one) =>
    typeof one.name === 'string' ? [{ name: one.name, required: one.required === true }] : [],
  )
  return [{ name, description: textOf(prompt.description), arguments: args }]
}

function readResource(resource: Readonly<Record<string, unknown>>): readonly ServerResource[] {
  const uri = resource.uri ?? resource.uriTemplate
  if (typeof uri !== 'string' || uri === '') return []
  return [{ uri, name: textOf(resource.name), description: textOf(resource.description) }]
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 8000) : ''
}

/** A plain object, or an empty one in its place. */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

/** The objects in a list. */
export function recordsIn(list: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (!Array.isArray(list)) return []
  const objects = list.filter((one) => typeof one === 'object' && one !== null && !Array.isArray(one))
  return objects.slice(0, MOST_ITEMS).map(recordOf)
}
