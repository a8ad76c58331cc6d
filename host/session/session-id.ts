/** What an id looks like; nothing else ever becomes part of a path. */
const ID = /^[a-z0-9][a-z0-9-]{0,63}$/

/** Whether a text can be a session's id, or the beginning of one. */
export function isSessionId(text: string): boolean {
  return ID.test(text)
}

/** A new id: when, to the second (UTC), and six random characters. Sorts by age. */
export function newSessionId(now: number, random: () => number): string {
  const at = new Date(now).toISOString()
  const day = at.slice(0, 10).replaceAll('-', '')
  const time = at.slice(11, 19).replaceAll(':', '')
  const letters = Array.from({ length: 6 }, () => Math.floor(random() * 36).toString(36)).join('')
  return `${day}-${time}-${letters}`
}
