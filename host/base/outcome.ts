import type { Diagnostic } from '../../manifests/diagnostic.ts'

/** What came of running a plugin's code: its value, its own decline, or a fault already attributed to it. */
export type Outcome<Value> =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'declined'; readonly why: string }
  | { readonly kind: 'fault'; readonly fault: PluginFault }

/** A fault of a plugin, told once and for all: who, in what, and the author's place. */
export interface PluginFault {
  readonly plugin: string
  /** What was running: `tool weather`, `activation`, `panel forecast`. */
  readonly label: string
  /** `retired`: the version is gone; `unavailable`: disabled, failed or parked; `deadline`: never settled in time. */
  readonly reason: 'threw' | 'deadline' | 'retired' | 'unavailable' | 'nonsense' | 'cancelled'
  readonly diagnostic: Diagnostic
}
