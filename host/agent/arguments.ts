import { messageOf } from '../base/errors.ts'

/** A call's arguments as read from the model's JSON string. */
export type ParsedArguments =
  | { readonly ok: true; readonly args: unknown }
  /** `raw` is what the model wrote; `message` says what to mend (TOOL-4). */
  | { readonly ok: false; readonly raw: string; readonly message: string }

/**
 * Reads the arguments of a call. Nothing, blanks and `null` are `{}` (row D12); what is not JSON (row D10), is JSON
 * twice encoded, or is no object goes back to the model with what to mend.
 */
export function parseArguments(text: string): ParsedArguments {
  if (text.trim() === '') return { ok: true, args: {} }
  const refuse = (message: string): ParsedArguments => ({ ok: false, raw: text, message })
  let args: unknown
  try {
    args = JSON.parse(text)
  } catch (thrown) {
    return refuse(
      `The arguments are not valid JSON (${messageOf(thrown)}). Call again with one JSON object and nothing after it.`,
    )
  }
  if (args === null) return { ok: true, args: {} }
  if (typeof args === 'string') {
    return refuse(
      'The arguments are a JSON string, not an object: they were encoded twice. Call again with the object itself.',
    )
  }
  if (typeof args !== 'object' || Array.isArray(args)) {
    return refuse(
      `The arguments must be a JSON object, not ${Array.isArray(args) ? 'an array' : typeof args}.`,
    )
  }
  return { ok: true, args }
}
