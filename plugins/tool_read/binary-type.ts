/** How many bytes at the start of a file decide whether it is text. */
const SNIFFED_BYTES = 8192

/** First bytes of well-known kinds of file, in hexadecimal. */
const SIGNATURES: readonly (readonly [string, string])[] = [
  ['89504e470d0a1a0a', 'PNG image'],
  ['ffd8ff', 'JPEG image'],
  ['474946383', 'GIF image'],
  ['52494646', 'RIFF file (WebP, WAV or AVI)'],
  ['25504446', 'PDF document'],
  ['504b0304', 'ZIP archive (also docx, xlsx, jar)'],
  ['1f8b', 'gzip archive'],
  ['28b52ffd', 'Zstandard archive'],
  ['fd377a585a00', 'XZ archive'],
  ['7f454c46', 'ELF executable or library'],
  ['cffaedfe', 'Mach-O executable or library'],
  ['4d5a', 'Windows executable or library'],
  ['0061736d', 'WebAssembly module'],
  ['53514c69746520666f726d6174203300', 'SQLite database'],
  ['774f4632', 'WOFF2 font'],
  ['cafebabe', 'Java class or universal Mach-O file'],
  ['fffe', 'UTF-16 text, little-endian'],
  ['feff', 'UTF-16 text, big-endian'],
]

/** What kind of binary a file is by its first bytes, or undefined when it is text: it has no NUL in the first 8 KiB. */
export function binaryType(start: Uint8Array): string | undefined {
  if (!start.subarray(0, SNIFFED_BYTES).includes(0)) return undefined
  const hex = Buffer.from(start.subarray(0, 32)).toString('hex')
  return SIGNATURES.find(([signature]) => hex.startsWith(signature))?.[1] ?? 'unknown binary data'
}
