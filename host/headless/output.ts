/** Where text goes: a stream that may be a terminal, a pipe that closes, or a file. */
export interface Output {
  /** Whether a terminal shows it: then untrusted text is sanitised (SAFE-5). */
  readonly isTTY: boolean
  write(text: string): void
}

/** What runs beside each other in a run: answers on `out`, everything else on `err`. */
export interface Outputs {
  readonly out: Output
  readonly err: Output
}

/** Writes one object as a line of JSON; control characters are escaped by JSON itself, bidi marks by us. */
export function writeJsonLine(out: Output, value: unknown): void {
  const text = JSON.stringify(value)
  out.write(`${out.isTTY ? escapeForTerminal(text) : text}\n`)
}

/** C1 and bidi marks are legal inside JSON strings; on a terminal they are written as escapes. */
function escapeForTerminal(json: string): string {
  return json.replace(
    /[\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
