import { previewRequest } from '../host/app/preview-request.ts'
import type { Snapshot } from '../host/registry/snapshot.ts'

type RequestContext = NonNullable<Parameters<typeof previewRequest>[0]['contextBlock']>

/** The answer of `GET prompt` (interfaces 7). */
export interface PromptReport {
  /** The request that the next turn would send, but for what the user will say. */
  readonly body: Readonly<Record<string, unknown>>
  /** How many bytes from the front of the body two assemblies in a row have in common: what a server's cache can keep (PRM-3). */
  readonly stableBytes: number
  readonly blocks: readonly {
    /** Null for amber's own. */
    readonly plugin: string | null
    readonly name: string
    /** An estimate; the server's usage is the truth. */
    readonly tokens: number
  }[]
}

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
  const assemble = () =>
    previewRequest({
      snapshot: options.snapshot(),
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
      const first = await assemble()
      const { body, blocks } = await assemble()
      return {
        body,
        stableBytes: commonBytes(JSON.stringify(first.body), JSON.stringify(body)),
        blocks: blocks.map(({ plugin, name, text }) => ({ plugin, name, tokens: estimateTokenCount(text) })),
      }
    },
    async compare() {
      const { generation } = options.snapshot()
      const preview = await assemble()
      const before = last
      last = { generation, preview }
      if (before?.generation !== generation) return []
      const stableBytes = commonBytes(JSON.stringify(before.preview.body), JSON.stringify(preview.body))
      const old = new Map(before.preview.blocks.map((one) => [`${one.plugin}:${one.name}`, one.text]))
      return preview.blocks
        .filter((one) => old.get(`${one.plugin}:${one.name}`) !== one.text)
        .map(({ plugin, name }) => ({ plugin, name, stableBytes }))
    },
  }
}

/** How many bytes of UTF-8 two texts begin with in common. */
export function commonBytes(a: string, b: string): number {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  const end = Math.min(left.length, right.length)
  for (let index = 0; index < end; index += 1) if (left[index] !== right[index]) return index
  return end
}
