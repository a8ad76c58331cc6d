/** JSON from outside, before anything in it is believed: what a server or a file answers may be anything. */
export type JsonRecord = Readonly<Record<string, unknown>>

/** Parses text; undefined when it is not JSON (JSON itself has no undefined). */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether a value is an object with named members (not null, not a list). */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value as an object with named members; undefined for anything else. */
export function recordOf(value: unknown): JsonRecord | undefined {
  return isRecord(value) ? value : undefined
}

/** A member of its own; undefined where the value has none of that name, or no members at all. */
export function memberOf(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

/** The value as a list; empty for anything else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The value as text; `''` for anything else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The value as a finite number; undefined for anything else. */
export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
