/** Control, direction and line-separating characters: what a terminal or an eye could be fooled with. */
const harmful = /[\0-\x08\x0a-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/**
 * Makes a foreign text safe to show on one line: control characters become their pictures (ESC is ␛), the others and
 * everything in `ascii` mode a `?`. One character stays one character, so that columns keep their count; tabs stay.
 */
export function neutralise(text: string, options: { readonly ascii?: boolean } = {}): string {
  return text.replace(harmful, (char) => {
    const code = char.charCodeAt(0)
    if (options.ascii || (code > 0x7f && code !== 0xfeff && code < 0xa0)) return '?'
    if (code === 0x7f) return '\u2421'
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : '\u00b7'
  })
}
