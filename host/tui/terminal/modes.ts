/**
 * What is switched on in the terminal, and how all of it is switched off again (row T5). Leaving resets more than
 * entering set: whatever a child process or a plugin switched on must not reach the shell either.
 */

/** Alternate screen, bracketed paste, wheel as arrow keys; asks for the keyboard protocol and the background. */
export const ENTER = '\x1b[?1049h\x1b[?2004h\x1b[?1007h\x1b[?7l\x1b[?25l\x1b[2J\x1b[H\x1b[?u\x1b]11;?\x07'

/** The kitty keyboard protocol, disambiguation alone: no release events that could reach the shell (row T10). */
export const KITTY_ON = '\x1b[>1u'

/** Everything off, the cursor shown, the main screen back. */
export const LEAVE =
  '\x1b[?2026l\x1b[<u\x1b[>4;0m\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1004l\x1b[?1007l\x1b[?2004l' +
  '\x1b[?7h\x1b[0m\x1b[?1049l\x1b[?25h'

/** A frame is shown whole or not at all, where the terminal can. */
export const FRAME_BEGIN = '\x1b[?2026h\x1b[?25l'
export const FRAME_END = '\x1b[?2026l'
