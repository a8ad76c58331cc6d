/**
 * The wait that a response asks for, in milliseconds: `retry-after-ms`, else `Retry-After` in seconds or as an HTTP
 * date (RFC 9110, 10.2.3). Undefined when it asks for none that can be read.
 */
export function readRetryAfter(
  header: (name: string) => string | undefined,
  now: number,
): number | undefined {
  const exact = Number(header('retry-after-ms')?.trim() || Number.NaN)
  if (Number.isFinite(exact) && exact >= 0) return Math.ceil(exact)
  const value = header('retry-after')?.trim()
  if (value === undefined || value === '') return undefined
  if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000)
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
