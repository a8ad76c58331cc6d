/** The first `limit` bytes of UTF-8 text, fewer when the cut would split a code point. */
export function cutBytes(bytes: Uint8Array, limit: number): Uint8Array {
  if (bytes.length <= limit) return bytes
  let end = limit
  // A continuation byte is 10xxxxxx, and a code point has three of them at most; more is not UTF-8 and cut anywhere.
  while (end > limit - 3 && end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return bytes.subarray(0, ((bytes[end] ?? 0) & 0xc0) === 0x80 ? limit : end)
}
