/** `17:42:08`, local. */
export const timeOf = (at: number): string => new Date(at).toTimeString().slice(0, 8)

/** `6.1 ms`, `2.4 s`. */
export function durationOf(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`
}

/** A text that fits on a screen, and says what was left out. */
export function cutText(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}\n… ${text.length - most} more characters`
}

/** The value below which a part of the numbers lie: 0.5 is the median; undefined of none. */
export function percentile(numbers: readonly number[], part: number): number | undefined {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)]
}

/** A path as short as it can be told apart: relative to where the plugin's folder lies. */
export function shortPath(file: string, folder: string | undefined): string {
  const parent = folder?.replace(/[\\/][^\\/]*$/, '')
  return parent !== undefined && file.startsWith(`${parent}/`) ? file.slice(parent.length + 1) : file
}
