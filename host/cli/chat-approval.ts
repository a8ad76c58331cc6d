import { type ApprovalAnswer, type ApprovalRequest, type Approver, askerText } from '../agent/turn.ts'
import { sanitiseLine } from '../base/sanitise.ts'

/** Asks a question and gives the answer's line; undefined when the terminal is gone or the signal aborts. */
export type Ask = (question: string, signal?: AbortSignal) => Promise<string | undefined>

/** What may be typed, whole or by its first letter; anything else is no. */
const ANSWERS: Readonly<Record<string, ApprovalAnswer>> = {
  once: 'once',
  yes: 'once',
  session: 'session',
  always: 'always',
  deny: 'deny',
  never: 'never',
}

/** Asks for approval on the terminal: for this call, this session, always here; no, or never here (SAFE-2). */
export function createAsker(ask: Ask, say: (text: string) => void): Approver {
  return async (request, signal) => {
    for (const line of describe(request)) say(line)
    const covered = coveredBy(request)
    const question = `[o]nce  [s]ession: ${covered}  [a]lways here  [d]eny  [n]ever here: `
    return readAnswer(await ask(question, signal))
  }
}

/** An answer as typed; no when it is none. */
export function readAnswer(line: string | undefined): ApprovalAnswer {
  const word = line?.trim().toLowerCase() ?? ''
  if (word === '') return 'deny'
  const found = Object.keys(ANSWERS).find(
    (name) => name === word || (word.length === 1 && name.startsWith(word)),
  )
  return (found !== undefined && ANSWERS[found]) || 'deny'
}

function describe({
  tool,
  plugin,
  summary,
  reason,
  asker,
  arguments: args,
}: ApprovalRequest): readonly string[] {
  const shown = sanitiseLine(JSON.stringify(args))
  const words = sanitiseLine(summary)
  const isTold = shown === '{}' || summary.includes(shown) || shown.includes(JSON.stringify(summary))
  return [
    `${sanitiseLine(tool)} (plugin ${plugin}) wants to run: ${words}`,
    ...(reason === undefined ? [] : [`  judged: ${sanitiseLine(reason)}`]),
    ...(asker === undefined ? [] : [`  asked by ${sanitiseLine(askerText(asker))}`]),
    ...(isTold ? [] : [`  ${shown.slice(0, 400)}`]),
  ]
}

/** What an answer for more than this call covers: `bash:git push`. */
function coveredBy({ tool, scopes }: ApprovalRequest): string {
  const names = scopes.length === 0 ? [tool] : scopes.map((scope) => `${tool}:${scope}`)
  const [first = tool] = names
  return names.length === 1 ? sanitiseLine(first) : `${sanitiseLine(first)} and ${names.length - 1} more`
}
