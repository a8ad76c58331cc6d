/**
 * Everything untrusted passes here on its way to a terminal (SAFE-5): escape sequences and control characters would
 * move the cursor, forge what is on the screen or set the clipboard.
 */

const SEQUENCES = new RegExp(
  [
    '\\x1b\\[[0-?]*[ -/]*[@-~]', // CSI
    '\\x1b\\][^\\x07\\x1b]*(?:\\x07|\\x1b\\\\)', // OSC, ended by BEL or ST
    '\\x1b[PX^_][^\\x1b]*\\x1b\\\\', // DCS, SOS, PM, APC
    '\\x1b[ -/]*[0-~]', // two-byte escapes
  ].join('|'),
  'g',
)

// C0 but tab and line feed, DEL, C1, and the marks that turn the direction of text (CVE-2021-42574).
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g
const SUSPECT = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/

/**
 * Text for a terminal, its lines and tabs kept. Works on any piece of a stream: of a sequence cut in two the escape
 * character is gone, and the rest is harmless print.
 */
export function sanitiseText(text: string): string {
  if (!SUSPECT.test(text)) return text
  return text.replaceAll('\r\n', '\n').replace(SEQUENCES, '').replace(CONTROLS, '')
}

/** The same on one line: line ends and tabs become one blank. */
export function sanitiseLine(text: string): string {
  return sanitiseText(text.replace(/[\r\n\t]+/g, ' ')).trim()
}
