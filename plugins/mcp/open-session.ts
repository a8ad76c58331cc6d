import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  CallToolResultSchema,
  McpError,
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import type { McpServer } from 'amber-agent/sdk'
import { type Inventory, MOST_ITEMS, readInventory, recordsIn } from './inventory.ts'
import { callResult, contentText, resourceText } from './result-text.ts'
import type { Asking, Session, SessionWatch } from './session.ts'
import { createStdioTransport, type StdioTransport } from './stdio-transport.ts'

/** What opening needs. */
export interface OpenOptions {
  readonly watch: SessionWatch
  readonly environment: () => Promise<Readonly<Record<string, string>>>
  readonly guard: (group: number) => () => void
  /** Where programs start, unless their server says. */
  readonly workspace: string
  readonly asking: Asking
  readonly version: string
}

/** How long a server may take to say goodbye, in milliseconds. */
const GOODBYE_MS = 500

/**
 * Connects to a server through the official SDK. This file is the only one that loads it: it is imported when a server
 * is configured, and not before.
 */
export async function openSession(server: McpServer, options: OpenOptions): Promise<Session> {
  const { watch, asking } = options
  const transport = await transportOf(server, options)
  const client = new Client(
    { name: 'amber', version: options.version },
    // Amber judges arguments by its own check; what a server answers goes to the model as it is.
    {
      jsonSchemaValidator: {
        getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
      },
    },
  )
  let closing = false
  client.onerror = (fault) => watch.noise(fault.message)
  try {
    await client.connect(transport, requestOptions(asking))
  } catch (thrown) {
    await transport.close().catch(() => undefined)
    const why = isStdio(transport) ? transport.ended : undefined
    throw why === undefined ? thrown : new Error(why, { cause: thrown })
  }
  client.onclose = () => {
    if (!closing)
      watch.ended((isStdio(transport) ? transport.ended : undefined) ?? 'the connection was closed')
  }
  for (const schema of [
    ToolListChangedNotificationSchema,
    PromptListChangedNotificationSchema,
    ResourceListChangedNotificationSchema,
  ])
    client.setNotificationHandler(schema, () => watch.changed())
  const { name = server.name, version = '' } = client.getServerVersion() ?? {}
  return {
    title: `${name} ${version}`.trim(),
    inventory: (how) => inventoryOf(client, requestOptions(how)),
    async call(tool, args, how) {
      const request = { method: 'tools/call', params: { name: tool, arguments: { ...args } } } as const
      return callResult(await client.request(request, CallToolResultSchema, requestOptions(how)))
    },
    async readResource(uri, how) {
      const { contents } = await client.readResource({ uri }, requestOptions(how))
      return recordsIn(contents).map(resourceText).join('\n')
    },
    async getPrompt(prompt, args, how) {
      const { messages } = await client.getPrompt(
        { name: prompt, arguments: { ...args } },
        requestOptions(how),
      )
      return messages.map(({ role, content }) => `${role}: ${contentText([content])}`).join('\n\n')
    },
    isLost: (thrown) => !isStdio(transport) && !(thrown instanceof McpError),
    async close() {
      closing = true
      if (transport instanceof StreamableHTTPClientTransport) await goodbye(transport)
      await client.close().catch(() => undefined)
    },
  }
}

async function transportOf(server: McpServer, options: OpenOptions): Promise<Transport | StdioTransport> {
  const requestInit = { headers: { ...server.headers } }
  if (server.type === 'http') return new StreamableHTTPClientTransport(new URL(server.url), { requestInit })
  if (server.type === 'sse') {
    const { SSEClientTransport } = await import('@modelcontextprotocol/sdk/client/sse.js')
    return new SSEClientTransport(new URL(server.url), { requestInit })
  }
  const env = { ...(await options.environment()), ...server.env }
  const { command, args, cwd = options.workspace } = server
  return createStdioTransport(
    { command, args, env, cwd },
    { noise: options.watch.noise, guard: options.guard },
  )
}

function isStdio(transport: Transport | StdioTransport): transport is StdioTransport {
  return 'ended' in transport
}

/** Ends the server's session; one that does not answer is left. */
async function goodbye(transport: StreamableHTTPClientTransport): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, GOODBYE_MS)
  })
  await Promise.race([transport.terminateSession().catch(() => undefined), late])
  clearTimeout(timer)
}

function requestOptions({ signal, timeoutMs, progress }: Asking): RequestOptions {
  return {
    signal,
    timeout: timeoutMs,
    resetTimeoutOnProgress: true,
    ...(progress === undefined
      ? {}
      : { onprogress: ({ progress: done, total, message }) => progress(progressText(done, total, message)) }),
  }
}

function progressText(done: number, total: number | undefined, message: string | undefined): string {
  const count = total === undefined ? String(done) : `${done} of ${total}`
  return message === undefined ? count : `${message} (${count})`
}

async function inventoryOf(client: Client, options: RequestOptions): Promise<Inventory> {
  const can = client.getServerCapabilities() ?? {}
  const tools = can.tools ? await pages((params) => client.listTools(params, options), 'tools') : []
  const prompts = can.prompts ? await pages((params) => client.listPrompts(params, options), 'prompts') : []
  const resources = can.resources
    ? await pages((params) => client.listResources(params, options), 'resources')
    : []
  const templates = can.resources
    ? await pages((params) => client.listResourceTemplates(params, options), 'resourceTemplates').catch(
        () => [],
      )
    : []
  return readInventory({ tools, prompts, resources: [...resources, ...templates] })
}

/** All pages of a list; a server that never ends is left at its limit. */
async function pages<Key extends string>(
  ask: (params: {
    cursor?: string
  }) => Promise<Readonly<Record<Key, unknown>> & { readonly nextCursor?: string | undefined }>,
  key: Key,
): Promise<readonly unknown[]> {
  const found: unknown[] = []
  let cursor: string | undefined
  do {
    const page = await ask(cursor === undefined ? {} : { cursor })
    found.push(...recordsIn(page[key]))
    cursor = page.nextCursor
  } while (cursor !== undefined && found.length < MOST_ITEMS)
  return found
}
