import { parseArguments } from '../../manifests/parse-arguments.ts'

/** A call's arguments as read from the model's JSON string. */
export type CallArguments =
  | { readonly ok: true; readonly args: unknown }
  /** `raw` is what the model wrote; `message` says what to mend (TOOL-4). */
  | { readonly ok: false; readonly raw: string; readonly message: string }

/** Reads the arguments of a call (TOOL-4, rows D10, D12). A lone `null` is how some models write "none". */
export function readArguments(text: string): CallArguments {
  const parsed = parseArguments(text.trim() === 'null' ? '' : text)
  return parsed.ok ? { ok: true, args: parsed.value } : { ok: false, raw: text, message: parsed.message }
}
