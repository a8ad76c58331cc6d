import type { OfferedTool, ToolCall, ToolResult } from 'amber-agent/sdk'
import type { Inventory, ServerPrompt, ServerResource } from './inventory.ts'
import { recordOf } from './inventory.ts'
import type { Asking, Session } from './session.ts'
import type { ServerNames } from './tool-names.ts'

/** Who the tools belong to, and how they reach it. */
export interface ToolOwner {
  readonly server: string
  readonly names: ServerNames
  /** Runs on the open session, waiting for it; a failure is a result. */
  ask(call: ToolCall, use: (session: Session, asking: Asking) => Promise<ToolResult>): Promise<ToolResult>
}

/** So many prompts and resources are named in a description; the rest is found by listing. */
const NAMED = 30

/**
 * A server's tools, and tools of amber's own for its prompts and resources. They say nothing of approval, and what the
 * server says of itself is not believed (MCP-1).
 */
export function offeredTools(owner: ToolOwner, inventory: Inventory): readonly OfferedTool[] {
  const tools = new Map<string, OfferedTool>()
  const add = (tool: OfferedTool) => {
    // A server that lists one name twice has one tool.
    if (!tools.has(tool.name)) tools.set(tool.name, tool)
  }
  for (const { name, description, inputSchema } of inventory.tools) {
    add({
      name: owner.names.toolName(name),
      description: description || `The tool ${name} of the MCP server ${owner.server}.`,
      parameters: inputSchema,
      execute: (args, call) => owner.ask(call, (session, asking) => session.call(name, args, asking)),
    })
  }
  const free = (name: string) => {
    const taken = inventory.tools.some((tool) => tool.name === name)
    return owner.names.toolName(taken ? `amber_${name}` : name)
  }
  if (inventory.prompts.length > 0) add(promptTool(owner, free('get_prompt'), inventory.prompts))
  if (inventory.resources.length > 0) {
    add(listTool(owner, free('list_resources'), inventory.resources))
    add(readTool(owner, free('read_resource'), inventory.resources))
  }
  return [...tools.values()]
}

function promptTool(owner: ToolOwner, name: string, prompts: readonly ServerPrompt[]): OfferedTool {
  const shown = prompts.slice(0, NAMED).map((prompt) => {
    const args = prompt.arguments.map((one) => (one.required ? one.name : `${one.name}?`)).join(', ')
    return `${prompt.name}(${args})${prompt.description && `: ${prompt.description.slice(0, 200)}`}`
  })
  return {
    name,
    description: `Gets a prompt that the MCP server ${owner.server} offers, filled in. Prompts: ${shown.join('; ')}`,
    parameters: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'The prompt.' },
        arguments: { type: 'object', additionalProperties: { type: 'string' } },
      },
      required: ['name'],
      additionalProperties: false,
    },
    execute: (args, call) =>
      owner.ask(call, async (session, asking) => {
        const given = Object.entries(recordOf(args.arguments)).map(
          ([key, value]) => [key, String(value)] as const,
        )
        return {
          ok: true,
          output: await session.getPrompt(String(args.name), Object.fromEntries(given), asking),
        }
      }),
  }
}

function listTool(owner: ToolOwner, name: string, resources: readonly ServerResource[]): OfferedTool {
  return {
    name,
    description: `Lists what the MCP server ${owner.server} lets be read: ${resources.length} resources.`,
    parameters: { type: 'object', properties: {}, additionalProperties: false },
    execute: () => ({ ok: true, output: resources.map(resourceLine).join('\n') }),
  }
}

function readTool(owner: ToolOwner, name: string, resources: readonly ServerResource[]): OfferedTool {
  const some = resources.slice(0, NAMED).map(({ uri }) => uri)
  return {
    name,
    description: `Reads a resource of the MCP server ${owner.server} by its URI, such as: ${some.join(', ')}`,
    parameters: {
      type: 'object',
      properties: { uri: { type: 'string', description: 'The URI; placeholders in braces filled in.' } },
      required: ['uri'],
      additionalProperties: false,
    },
    execute: ({ uri }, call) =>
      owner.ask(call, async (session, asking) => ({
        ok: true,
        output: await session.readResource(String(uri), asking),
      })),
  }
}

/** One resource on a line. */
export function resourceLine({ uri, name, description }: ServerResource): string {
  return [uri, name, description.slice(0, 200)].filter(Boolean).join('  ')
}
