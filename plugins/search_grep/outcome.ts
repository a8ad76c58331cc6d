import type { SearchAnswer } from 'amber-agent/sdk'

/** Why a search ended before its end: the caller, the clock, or enough hits. */
export type Stop = 'cancelled' | 'time' | 'full'

/** What could not be searched or shown. */
export interface Omitted {
  /** Matching lines too long to hold. */
  readonly lines?: number
  /** Files too large to search. */
  readonly files?: number
  /** Files and folders that the system does not let be read. */
  readonly unreadable?: number
  /** The file that was named is binary. */
  readonly askedIsBinary?: boolean
}

/** The answer of a search that was cancelled. */
export const CANCELLED: SearchAnswer = { ok: false, error: 'The search was cancelled.' }

/** The error of a pattern that is no regular expression, the same for both ways of searching. */
export function invalidPattern(pattern: string, reason: string): SearchAnswer {
  return {
    ok: false,
    error: `The pattern ${JSON.stringify(pattern)} is not a valid regular expression: ${reason}. To search for it literally, put \\ before its special characters.`,
  }
}

/** What the reader should know of a search, for the answer's note. */
export function notesOf(stopped: Stop | undefined, omitted: Omitted): readonly string[] {
  const notes = [
    stopped === 'time' ? 'time ran out: this is what was found until then' : '',
    omitted.lines ? `${count(omitted.lines, 'matching line')} too long to show` : '',
    omitted.files ? `${count(omitted.files, 'file')} too large to search` : '',
    omitted.askedIsBinary ? 'this file is binary and was not searched' : '',
    omitted.unreadable ? `${count(omitted.unreadable, 'path')} could not be read` : '',
  ]
  return notes.filter(Boolean)
}

function count(number: number, noun: string): string {
  return number === 1 ? `1 ${noun}` : `${number} ${noun}s`
}
