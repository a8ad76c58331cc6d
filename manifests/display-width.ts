const zeroWidth = /^[\p{M}\p{Cf}]$/u
const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}\p{Emoji_Presentation}]$/u

/** How many terminal columns one code point takes. */
export function charWidth(char: string): 0 | 1 | 2 {
  if (char < '\u0300') return 1
  if (zeroWidth.test(char)) return 0
  return wide.test(char) ? 2 : 1
}

/** How many terminal columns a text takes; for diagnostics, where no joined emoji matter. */
export function textWidth(text: string): number {
  let width = 0
  for (const char of text) width += charWidth(char)
  return width
}
