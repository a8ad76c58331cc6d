import { previewRequest } from '../host/app/preview-request.ts'
import type { Snapshot } from '../host/registry/snapshot.ts'
import { isRecord } from '../sdk/index.ts'

type RequestContext = NonNullable<Parameters<typeof previewRequest>[0]['contextBlock']>

/** The answer of `GET prompt` (interfaces 7). */
export interface PromptReport {
  /** The request that the next turn would send, but for what the user will say. */
  readonly body: Readonly<Record<string, unknown>>
  /** How many bytes from the front of the body two assemblies in a row have in common: what a server's cache can keep (PRM-3). */
  readonly stableBytes: number
  readonly blocks: readonly ReportedBlock[]
  /** What each tool's declaration takes. */
  readonly tools: readonly Pick<ReportedBlock, 'plugin' | 'name' | 'tokens' | 'stable'>[]
  /** The blocks that the last turn had and the next one will not. */
  readonly gone: readonly { readonly plugin: string | null; readonly name: string }[]
}

/** One block of the next request. */
export interface ReportedBlock {
  /** Null for amber's own. */
  readonly plugin: string | null
  readonly name: string
  /** An estimate; the server's usage is the truth. */
  readonly tokens: number
  /** Cut at 20,000 characters. */
  readonly text: string
  /** Whether all of it is in the prefix that stays the same. */
  readonly stable: boolean
  /** What became of it since the last turn ended; null before the first. */
  readonly change: 'added' | 'changed' | 'same' | null
}

/** Characters of a block that are told. */
const MAX_TEXT = 20_000

/** A block that is different in every turn, and from where it breaks the server's prefix cache (PRM-3). */
export interface Unstable {
  readonly plugin: string | null
  readonly name: string
  readonly stableBytes: number
}

/** Assembles prompts and compares each with the one before. */
export interface PromptReporter {
  report(): Promise<PromptReport>
  /** Compares with the last call of this; the blocks that changed although no plugin did. */
  compare(): Promise<readonly Unstable[]>
}

/** Makes one over a live snapshot. */
export function createPromptReporter(options: {
  readonly snapshot: () => Snapshot
  readonly workspace: string
  readonly model: () => string
  /** What the project says to agents; nothing unless given. */
  readonly contextBlock?: RequestContext
}): PromptReporter {
  const assemble = (snapshot = options.snapshot()) =>
    previewRequest({
      snapshot,
      workspace: options.workspace,
      mode: 'write',
      model: options.model(),
      ...(options.contextBlock === undefined ? {} : { contextBlock: options.contextBlock }),
    })
  let last:
    | { readonly generation: number; readonly preview: Awaited<ReturnType<typeof assemble>> }
    | undefined

  return {
    async report() {
      const { estimateTokenCount } = await import('tokenx')
      // From one snapshot: a swap between the two would look like a block that is never the same.
      const snapshot = options.snapshot()
      const first = await assemble(snapshot)
      const { body, blocks } = await assemble(snapshot)
      const json = JSON.stringify(body)
      const stableBytes = commonBytes(JSON.stringify(first.body), json)
      const isStable = (part: string) => isWithin(json, part, stableBytes)
      const old = last && new Map(last.preview.blocks.map((one) => [keyOf(one), one.text]))
      const now = new Set(blocks.map(keyOf))
      const changeOf = (key: string, text: string) =>
        old === undefined ? null : !old.has(key) ? 'added' : old.get(key) === text ? 'same' : 'changed'
      return {
        body,
        stableBytes,
        blocks: blocks.map((one) => ({
          plugin: one.plugin,
          name: one.name,
          tokens: estimateTokenCount(one.text),
          text: one.text.slice(0, MAX_TEXT),
          stable: isStable(JSON.stringify(one.text).slice(1, -1)),
          change: changeOf(keyOf(one), one.text),
        })),
        tools: toolsIn(body).map((tool) => ({
          plugin: options.snapshot().tools.get(tool.name)?.plugin ?? null,
          name: tool.name,
          tokens: estimateTokenCount(tool.json),
          stable: isStable(tool.json),
        })),
        gone: (last?.preview.blocks ?? [])
          .filter((one) => !now.has(keyOf(one)))
          .map(({ plugin, name }) => ({ plugin, name })),
      }
    },
    async compare() {
      const { generation } = options.snapshot()
      const preview = await assemble()
      const before = last
      last = { generation, preview }
      if (before?.generation !== generation) return []
      const stableBytes = commonBytes(JSON.stringify(before.preview.body), JSON.stringify(preview.body))
      const old = new Map(before.preview.blocks.map((one) => [keyOf(one), one.text]))
      return preview.blocks
        .filter((one) => old.get(keyOf(one)) !== one.text)
        .map(({ plugin, name }) => ({ plugin, name, stableBytes }))
    },
  }
}

function keyOf({ plugin, name }: { readonly plugin: string | null; readonly name: string }): string {
  return `${plugin}:${name}`
}

/** Whether a part of a text ends within so many bytes from its front. */
function isWithin(text: string, part: string, bytes: number): boolean {
  const at = text.indexOf(part)
  return at !== -1 && Buffer.byteLength(text.slice(0, at + part.length)) <= bytes
}

/** The tools of a request in the OpenAI protocol, each as it stands in it. */
function toolsIn(body: PromptReport['body']): readonly { readonly name: string; readonly json: string }[] {
  const tools = Array.isArray(body.tools) ? body.tools : []
  return tools.flatMap((one: unknown) => {
    const declared = isRecord(one) ? one.function : undefined
    const name = isRecord(declared) ? declared.name : undefined
    return typeof name === 'string' ? [{ name, json: JSON.stringify(one) }] : []
  })
}

/** How many bytes of UTF-8 two texts begin with in common. */
export function commonBytes(a: string, b: string): number {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  const end = Math.min(left.length, right.length)
  for (let index = 0; index < end; index += 1) if (left[index] !== right[index]) return index
  return end
}
