import type { Message } from '../../sdk/index.ts'
import { arrange, type CoreBlock, renderBlocks } from '../agent/prompt.ts'
import { offeredTools } from '../agent/tools.ts'
import type { AgentMode } from '../agent/turn.ts'
import { openAiDialect } from '../llm/openai/dialect.ts'
import { prepareRequest } from '../llm/prepare.ts'
import type { Snapshot } from '../registry/snapshot.ts'
import { corePrompt } from './core-prompt.ts'

/** A request as a turn would send it, and the blocks in it. */
export interface RequestPreview {
  readonly body: Readonly<Record<string, unknown>>
  readonly blocks: readonly {
    /** Null for amber's own. */
    readonly plugin: string | null
    readonly name: string
    readonly text: string
  }[]
}

/** What a preview is made for. */
export interface PreviewOptions {
  readonly snapshot: Snapshot
  readonly workspace: string
  readonly mode: AgentMode
  readonly model: string
  /** What the project says to agents; nothing unless given. */
  readonly contextBlock?: CoreBlock
  /** The conversation; empty unless said. */
  readonly messages?: readonly Message[]
}

/** Assembles the next request without sending it, in the OpenAI protocol (interfaces 7, `GET prompt`). */
export async function previewRequest(options: PreviewOptions): Promise<RequestPreview> {
  const { snapshot, model } = options
  const prompt = corePrompt({
    workspace: options.workspace,
    platform: process.platform,
    ...(options.contextBlock === undefined ? {} : { contextBlock: options.contextBlock }),
  })
  const blocks = await renderBlocks(prompt, snapshot)
  const { request } = prepareRequest(
    {
      messages: arrange(blocks, options.messages ?? []),
      tools: offeredTools(snapshot, options.mode),
      stream: true,
    },
    { flavor: openAiDialect.flavor, model },
  )
  return {
    body: openAiDialect.buildChatBody({ apiBase: '', apiKey: '', model }, request),
    blocks: blocks.map(({ plugin, name, text }) => ({ plugin: plugin ?? null, name, text })),
  }
}
