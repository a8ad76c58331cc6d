import { AmberError } from '../../../base/errors.ts'

/** What a plugin may bring along at most: more is a mistake or an attack. Bytes and files. */
export const MOST_BYTES = 100 * 1024 * 1024
const MOST_FILES = 10_000
const LONGEST_PATH = 400

/** Counts what comes in. Throws an AmberError when it is too much. */
export interface Intake {
  add(path: string, bytes: number): void
}

/** Makes a count for one plugin. */
export function createIntake(most = { files: MOST_FILES, bytes: MOST_BYTES }): Intake {
  let files = 0
  let bytes = 0
  return {
    add(path, size) {
      files += 1
      bytes += size
      if (files > most.files) throw tooMuch(`more than ${most.files} files`)
      if (bytes > most.bytes) throw tooMuch(`more than ${most.bytes / 1024 / 1024} MB`)
      if (path.length > LONGEST_PATH) throw tooMuch(`a path of ${path.length} characters`)
    },
  }
}

/** Whether a path stays in the folder that it is relative to. */
export function staysInside(path: string): boolean {
  if (path === '' || /[\0-\x1f\x7f\\]/.test(path) || /^(\/|[A-Za-z]:)/.test(path)) return false
  return !path.split('/').includes('..')
}

/** A refusal to take something over. */
export function refused(what: string): AmberError {
  return new AmberError(
    'failed',
    `The plugin is not taken over: ${what}.`,
    'Nothing was installed. Tell its author.',
  )
}

function tooMuch(what: string): AmberError {
  return refused(`it holds ${what}`)
}
