/** What an overflow error says in numbers, in tokens. */
export interface OverflowNumbers {
  readonly limit?: number
  readonly requested?: number
}

const NUMBER = '([0-9][0-9,_]*)'
/** Servers' wordings of the limit; the number stands first or second (fixtures README, 11). */
const LIMITS = [
  `maximum (?:context|prompt|input|model) length (?:is|of)(?: only)? ${NUMBER}`,
  `maximum context length of ${NUMBER}`,
  `${NUMBER} maximum context length`,
  `context (?:length|window|size) (?:is|of)(?: only)? ${NUMBER}`,
  `context length exceeds ${NUMBER}`,
  `n_ctx(?: is|\\s*[=:])\\s*${NUMBER}`,
  `"n_ctx"\\s*:\\s*${NUMBER}`,
  `available context size \\(${NUMBER} tokens\\)`,
  `tokens\\s*>\\s*${NUMBER}\\s*(?:tokens\\s*)?maximum`,
  `tokens allowed \\(${NUMBER}\\)`,
].map((wording) => new RegExp(wording, 'i'))
const REQUESTS = [
  `you requested (?:about )?${NUMBER} tokens`,
  `messages resulted in ${NUMBER} tokens`,
  `request (?:contains|\\()\\s*${NUMBER} tokens`,
  `"n_prompt_tokens"\\s*:\\s*${NUMBER}`,
  `too long: ${NUMBER} tokens`,
  `input token count \\(${NUMBER}\\)`,
  `prompt contains ${NUMBER} tokens`,
].map((wording) => new RegExp(wording, 'i'))
/** Wordings and codes that mean overflow even with no number. */
const SIGNS =
  /context_length_exceeded|exceed_context_size|context window|context limit|context length|context size|prompt (?:is )?too long|input is too long|maximum prompt length|maximum number of tokens allowed|token count .* exceeds/i

const MAX_READ = 64 * 1024

/** The limit and the size that an error body names, whichever vendor wrote it; empty when it names none. */
export function readOverflowNumbers(body: string): OverflowNumbers {
  const text = body.slice(0, MAX_READ)
  const limit = firstNumber(text, LIMITS)
  const requested = firstNumber(text, REQUESTS)
  return { ...(limit === undefined ? {} : { limit }), ...(requested === undefined ? {} : { requested }) }
}

/** Whether the words of a rejected request say that the conversation is too long. Rate limits never come here (R6). */
export function saysOverflow(body: string): boolean {
  return SIGNS.test(body.slice(0, MAX_READ))
}

function firstNumber(text: string, wordings: readonly RegExp[]): number | undefined {
  for (const wording of wordings) {
    const digits = wording.exec(text)?.[1]?.replace(/[,_]/g, '')
    const value = digits === undefined ? Number.NaN : Number(digits)
    if (Number.isSafeInteger(value) && value > 0) return value
  }
  return undefined
}
