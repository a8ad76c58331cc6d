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

/** Deeper than any JSON that a model writes; what is deeper takes the slow way. */
const MAX_DEPTH = 50

/**
 * A copy that shares nothing with the value. Plain objects and lists, as JSON makes them, are copied directly, which is
 * many times quicker for the little that a call's arguments are; anything else as the structured clone does. Throws where
 * that throws.
 */
export function copyOf(value: unknown): unknown {
  return copyPlain(value, 0)
}

function copyPlain(value: unknown, depth: number): unknown {
  if (typeof value === 'function' || typeof value === 'symbol') return structuredClone(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth > MAX_DEPTH) return structuredClone(value)
  if (Array.isArray(value)) return value.map((one) => copyPlain(one, depth + 1))
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return structuredClone(value)
  // From entries: a key `__proto__` stays a key.
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, copyPlain(one, depth + 1)]))
}
