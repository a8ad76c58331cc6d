/** A full-screen view; the host owns frame, scrolling and key routing (contract PAN-1, PAN-2). */
export interface PanelHandler {
  /** Pure; called on every repaint. */
  lines(width: number): readonly string[]
  /** First refusal on a key while focused (`up`, `enter`, `ctrl+c`, `r`); true means handled. */
  onKey?(key: string): boolean
}
