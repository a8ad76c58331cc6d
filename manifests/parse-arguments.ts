/** The arguments of a call as a value, or what the model should mend. */
export type ParsedArguments =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string }

/** Parses a call's arguments as the model wrote them (contract TOOL-4); empty means `{}`. Never throws. */
export function parseArguments(text: string): ParsedArguments {
  if (text.trim() === '') return { ok: true, value: {} }
  const parsed = parse(text)
  if (!parsed.ok)
    return { ok: false, message: `The arguments are not JSON: ${parsed.why}. Send one JSON object.` }
  if (parsed.poisoned) {
    return { ok: false, message: 'The arguments use the key "__proto__", which is never accepted.' }
  }
  if (typeof parsed.value === 'string' && looksEncoded(parsed.value)) {
    const message =
      'The arguments are JSON inside a JSON string: they were encoded twice. Send the object itself.'
    return { ok: false, message }
  }
  if (typeof parsed.value !== 'object' || parsed.value === null || Array.isArray(parsed.value)) {
    return { ok: false, message: 'The arguments must be one JSON object; {} when there are none.' }
  }
  return { ok: true, value: parsed.value }
}

type Parsed =
  | { readonly ok: true; readonly value: unknown; readonly poisoned: boolean }
  | { readonly ok: false; readonly why: string }

function parse(text: string): Parsed {
  let poisoned = false
  // The reviver costs time, so it looks on only where the key can be at all (an escape may hide it).
  const suspicious = /__proto__|\\u/.test(text)
  const watch = (key: string, value: unknown) => {
    if (key === '__proto__') poisoned = true
    return value
  }
  try {
    const value: unknown = suspicious ? JSON.parse(text, watch) : JSON.parse(text)
    return { ok: true, value, poisoned }
  } catch (thrown) {
    return { ok: false, why: thrown instanceof Error ? thrown.message : String(thrown) }
  }
}

function looksEncoded(text: string): boolean {
  return /^\s*\{/.test(text)
}
