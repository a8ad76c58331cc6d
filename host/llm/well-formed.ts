import { isRecord } from '../../sdk/index.ts'

const LONE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g
const SUSPECT = /[\ud800-\udfff]/

/** Text without half characters: each lone surrogate becomes U+FFFD, for JSON with one is refused by servers (P22). */
export function wellFormed(text: string): string {
  return SUSPECT.test(text) ? text.replace(LONE, '\ufffd') : text
}

/** The same for every text in plain JSON data, names of members included. */
export function wellFormedData(value: unknown): unknown {
  if (typeof value === 'string') return wellFormed(value)
  if (Array.isArray(value)) return value.map(wellFormedData)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [wellFormed(name), wellFormedData(member)]),
  )
}
