import type { Theme } from '../look/theme.ts'

/** A full-screen view as the panel host shows it: a plugin's or amber's own (PAN-1, PAN-3). */
export interface PanelView {
  readonly id: string
  title(): string
  /** What stands in the lower edge: its keys. */
  foot?(): string
  /** Pure; styled lines, of which untrusted parts are sanitised. */
  lines(width: number, theme: Theme): readonly string[]
  /** First refusal on a key (PAN-2); true means handled. */
  onKey?(key: string): boolean
  /** The line that is kept in view; undefined lets the user scroll. */
  focusLine?(): number | undefined
  /** Called when it comes to the front. */
  opened?(): void
}
