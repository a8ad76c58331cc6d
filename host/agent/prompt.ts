import type { Message, SystemMessage } from '../../sdk/index.ts'
import type { Outcome, PluginFault } from '../base/outcome.ts'
import type { Snapshot } from '../registry/snapshot.ts'

/** A prompt block of the host itself; they sit at 100, 200 and 300 (PRM-2). */
export interface CoreBlock {
  readonly name: string
  readonly priority: number
  readonly placement: SystemMessage['placement']
  /** `''` contributes nothing. */
  render(): string | Promise<string>
}

/** What a request's system part is made of. */
export interface PromptDeps {
  /** Comes first, before every block. */
  readonly base: string
  readonly coreBlocks: readonly CoreBlock[]
  /** Hears of a block that failed; it contributes nothing. */
  readonly onFault?: (fault: PluginFault) => void
}

/** One block, whoever owns it. */
export interface RenderedBlock {
  readonly name: string
  /** Undefined for the host's own. */
  readonly plugin: string | undefined
  readonly placement: SystemMessage['placement']
  readonly text: string
}

const PLACES = ['system', 'head', 'tail'] as const

/**
 * Renders the system part of one request from one snapshot: by placement, then (priority, registration), the host's
 * own first among equals. The same inputs give the same bytes (PRM-3).
 */
export async function renderBlocks(deps: PromptDeps, snapshot: Snapshot): Promise<readonly RenderedBlock[]> {
  const sources = [
    ...deps.coreBlocks.map((block) => ({ block, plugin: undefined, text: () => renderCore(block) })),
    ...snapshot.promptBlocks.map((block) => ({
      block,
      plugin: block.plugin,
      text: async () => read(await block.render(), deps),
    })),
  ].sort((left, right) => left.block.priority - right.block.priority)
  const rendered = await Promise.all(
    sources.map(async ({ block, plugin, text }) => ({
      name: block.name,
      plugin,
      placement: block.placement,
      text: await text(),
    })),
  )
  const base = { name: 'base', plugin: undefined, placement: 'system' as const, text: deps.base }
  return PLACES.flatMap((place) =>
    [base, ...rendered].filter((block) => block.placement === place && block.text !== ''),
  )
}

async function renderCore(block: CoreBlock): Promise<string> {
  return block.render()
}

function read(outcome: Outcome<string>, deps: PromptDeps): string {
  if (outcome.kind === 'value') return outcome.value
  if (outcome.kind === 'fault') deps.onFault?.(outcome.fault)
  return ''
}

/** The copy of the conversation that is sent: each block its own system message, in its place (PRM-1, PRM-2). */
export function arrange(blocks: readonly RenderedBlock[], conversation: readonly Message[]): Message[] {
  const message = ({ text, placement }: RenderedBlock): Message => ({ role: 'system', text, placement })
  return [
    ...blocks.filter((block) => block.placement !== 'tail').map(message),
    ...conversation,
    ...blocks.filter((block) => block.placement === 'tail').map(message),
  ]
}
