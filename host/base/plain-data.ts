import { messageOf } from './errors.ts'

/** A value as plain data of its own, or why it is none. */
export type PlainReading =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly why: string }

/**
 * Reads a value that somebody else's code made, once, into a copy that nobody else holds: what JSON can say and nothing
 * more. Functions, circles, BigInts, proxies and getters that throw make it none. Never throws.
 */
export function readPlain(value: unknown): PlainReading {
  try {
    const text: unknown = JSON.stringify(structuredClone(value))
    if (typeof text !== 'string') return { ok: false, why: 'it is undefined' }
    return { ok: true, value: JSON.parse(text) }
  } catch (thrown) {
    return { ok: false, why: messageOf(thrown).split('\n', 1)[0] ?? '' }
  }
}
