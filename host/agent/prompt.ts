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

/** What was rendered before, for the requests of one turn. */
export interface KeptTexts {
  /** Of this snapshot; another one, after a toggle or a swap, is rendered anew (PRM-4). */
  snapshot: Snapshot | undefined
  readonly texts: Map<object, string>
}

/** Nothing yet. */
export function noTexts(): KeptTexts {
  return { snapshot: undefined, texts: new Map() }
}

const PLACES = ['system', 'head', 'tail'] as const

/**
 * Renders the system part of one request from one snapshot: by placement, then (priority, registration), the host's
 * own first among equals. The same inputs give the same bytes (PRM-3). With `kept`, what stands in the stable prefix
 * is rendered once: a turn's requests then share it to the byte, and nothing is looked up again for each.
 */
export async function renderBlocks(
  deps: PromptDeps,
  snapshot: Snapshot,
  kept: KeptTexts = noTexts(),
): Promise<readonly RenderedBlock[]> {
  if (kept.snapshot !== snapshot) {
    kept.texts.clear()
    kept.snapshot = snapshot
  }
  const sources = [
    ...deps.coreBlocks.map((block) => ({ block, plugin: undefined, text: () => renderCore(block) })),
    ...snapshot.promptBlocks.map((block) => ({
      block,
      plugin: block.plugin,
      text: async () => read(await block.render(), deps),
    })),
  ].sort((left, right) => left.block.priority - right.block.priority)
  const textOf = async (block: Placed, render: () => Promise<string | undefined>): Promise<string> => {
    const text = await render()
    if (text !== undefined && block.placement === 'system') kept.texts.set(block, text)
    return text ?? ''
  }
  const rendered: RenderedBlock[] = []
  const missing: Promise<void>[] = []
  sources.forEach(({ block, plugin, text }, at) => {
    const { name, placement } = block
    const known = kept.texts.get(block)
    rendered[at] = { name, plugin, placement, text: known ?? '' }
    if (known !== undefined) return
    missing.push(
      textOf(block, text).then((rendering) => {
        rendered[at] = { name, plugin, placement, text: rendering }
      }),
    )
  })
  if (missing.length > 0) await Promise.all(missing)
  const base = { name: 'base', plugin: undefined, placement: 'system' as const, text: deps.base }
  return PLACES.flatMap((place) =>
    [base, ...rendered].filter((block) => block.placement === place && block.text !== ''),
  )
}

type Placed = Pick<RenderedBlock, 'placement'>

async function renderCore(block: CoreBlock): Promise<string> {
  return block.render()
}

/** Undefined where there is no text now; the next request asks again. */
function read(outcome: Outcome<string>, deps: PromptDeps): string | undefined {
  if (outcome.kind === 'value') return outcome.value
  if (outcome.kind === 'fault') deps.onFault?.(outcome.fault)
  return undefined
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
