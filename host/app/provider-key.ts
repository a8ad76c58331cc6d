import { AmberError } from '../base/errors.ts'

/**
 * A key as it was given, without the blanks around it. Keys are one word of printable ASCII: anything else was pasted
 * wrongly, and no header could carry it. Throws an AmberError that does not repeat it (PRO-13).
 */
export function readKeyText(text: string): string {
  const key = text.trim()
  if (/^[\x21-\x7e]*$/.test(key)) return key
  throw new AmberError(
    'failed',
    'What was given is no key: it has blanks, line ends or special characters in it.',
    'Copy the key alone and give it again; nothing was written.',
  )
}
