import type { SwapPhases, SwapResult } from '../host/plugin/swap-result.ts'
import type { Diagnostic } from '../manifests/diagnostic.ts'

type Swapped = Extract<SwapResult, { kind: 'swapped' }>

/** What a dev server tells, as `--json` prints it, one object a line (interfaces 7). */
export type DevEvent =
  /** Every given plugin is live or rejected. `url` opens the inspector, with its token. */
  | { readonly type: 'ready'; readonly url: string }
  | {
      readonly type: 'swap'
      readonly plugin: string
      readonly generation: number
      readonly changed: Swapped['changed']
      /** Milliseconds. `types` is spent after the commit: it holds nothing back. */
      readonly phases: SwapPhases
      /** Milliseconds from the first read to the commit. */
      readonly totalMs: number
    }
  | {
      readonly type: 'rejected'
      readonly plugin: string
      readonly phase: keyof SwapPhases
      readonly diagnostics: readonly Diagnostic[]
    }
  | { readonly type: 'removed'; readonly plugin: string }
  | {
      readonly type: 'warning'
      readonly plugin?: string
      readonly message: string
      /** The finding that the message tells of, where it is about a place in a file. */
      readonly diagnostic?: Diagnostic
      /** It stands until a `types` event of the plugin is without it, whatever is swapped meanwhile. */
      readonly about?: 'types'
    }
  /** All type errors of a plugin, as warnings, whenever they are others than before: none when they are mended. */
  | { readonly type: 'types'; readonly plugin: string; readonly diagnostics: readonly Diagnostic[] }

/** One finding on one line: where, what, and what to do. */
export function diagnosticLine({ file, line, column, message, hint }: Diagnostic): string {
  return `${file}:${line}:${column} ${message}${hint === undefined ? '' : ` (${hint})`}`
}

/** What is told of a swap; nothing of one that changed nothing. */
export function eventOf(result: SwapResult): DevEvent | undefined {
  if (result.kind === 'swapped') {
    const { plugin, generation, changed, phases, totalMs } = result
    return { type: 'swap', plugin, generation, changed, phases, totalMs }
  }
  if (result.kind === 'rejected') {
    const { plugin, phase, diagnostics } = result
    return { type: 'rejected', plugin, phase, diagnostics }
  }
  return result.kind === 'removed' ? { type: 'removed', plugin: result.plugin } : undefined
}
