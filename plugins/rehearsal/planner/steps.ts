import { maskQuotes, withoutCourtesy } from './sentence.ts'

const BREAK = /(?:\s*[,;.!?]?\s+(?:and\s+)?then\b[\s,:]*)|(?:\s*[;.!?]\s+(?=[A-Z]))|\n+/g

/**
 * The steps of a prompt, in order: its first paragraph cut at `then`, at ends of sentences and of lines, outside of
 * quotes. What stands below an empty line is material, not a request.
 */
export function splitSteps(prompt: string): readonly string[] {
  const paragraph = prompt.trim().split(/\n\s*\n/)[0] ?? ''
  return cut(paragraph, BREAK)
    .map(withoutCourtesy)
    .filter((step) => step !== '')
}

/** The two halves of a step at each of its `and`s, outside of quotes. */
export function splitAtAnd(step: string): readonly (readonly [string, string])[] {
  return [...maskQuotes(step).matchAll(/,?\s+and\s+/gi)].map(
    (found) =>
      [step.slice(0, found.index), withoutCourtesy(step.slice(found.index + found[0].length))] as const,
  )
}

function cut(text: string, at: RegExp): readonly string[] {
  const parts: string[] = []
  let from = 0
  for (const found of maskQuotes(text).matchAll(at)) {
    parts.push(text.slice(from, found.index))
    from = found.index + found[0].length
  }
  parts.push(text.slice(from))
  return parts
}
