/** What a key of the known vendors looks like; half-hidden ones too, as servers quote them. */
const KEY_LIKE = [
  /\b(?:sk|pk|rk|gsk|xai|pplx|fw|nvapi|hf|r8)[-_][A-Za-z0-9*_\-.]{6,}/g,
  /\bAIza[A-Za-z0-9_-]{10,}/g,
  /\bBearer\s+[A-Za-z0-9._~+/=-]{8,}/gi,
  /([?&](?:api[_-]?key|key|token|access_token)=)[^&\s"']+/gi,
]
const MASK = '[key]'

/** Text without secrets (PRO-13): the given ones in any spelling a URL gives them, and whatever looks like a key. */
export function redact(text: string, secrets: readonly string[]): string {
  let clean = text
  for (const secret of secrets) {
    if (secret.length < 4) continue
    clean = clean.replaceAll(secret, MASK)
    const encoded = encodeURIComponent(secret)
    if (encoded !== secret) clean = clean.replaceAll(encoded, MASK)
  }
  for (const shape of KEY_LIKE) clean = clean.replace(shape, (_whole, lead: unknown) => masked(lead))
  return clean
}

function masked(lead: unknown): string {
  return typeof lead === 'string' ? `${lead}${MASK}` : MASK
}
