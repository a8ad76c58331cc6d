/** `[HH:MM:SS]` in the local time zone, of milliseconds since 1970. */
export function localTime(now: number): string {
  const date = new Date(now)
  const parts = [date.getHours(), date.getMinutes(), date.getSeconds()]
  return `[${parts.map((part) => String(part).padStart(2, '0')).join(':')}]`
}
