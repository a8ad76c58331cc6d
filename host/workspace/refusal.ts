import type { PathRefusal, PathRule } from '../../sdk/index.ts'
import { messageOf, systemCode } from '../base/errors.ts'

/** A refusal in the contract's shape: it names the rule and says what to do (SAFE-1). */
export function refuse(rule: PathRule, error: string): PathRefusal {
  return { ok: false, rule, error }
}

/** A path as an error shows it: quoted, control characters escaped, at most 200 characters. */
export function quotePath(path: string): string {
  const characters = [...path.slice(0, 400)]
  const shown = characters.length > 200 ? `${characters.slice(0, 200).join('')}…` : characters.join('')
  return JSON.stringify(shown)
}

/** The refusal of a path that leads out of the workspace. `real` is where it leads, when that may be told. */
export function refuseOutside(root: string, path: string, real?: string): PathRefusal {
  const leads = real && real !== path ? `, it leads to ${quotePath(real)}` : ''
  return refuse(
    'outside',
    `${quotePath(path)} is outside the workspace${leads}. Only real paths at or below ${quotePath(root)} are allowed, also through links: use a path inside it.`,
  )
}

/** The refusal that a system error amounts to. */
export function refuseSystemError(path: string, thrown: unknown): PathRefusal {
  const shown = quotePath(path)
  switch (systemCode(thrown)) {
    case 'ENOENT':
      return refuse('missing', `${shown} does not exist.`)
    case 'ENOTDIR':
      return refuse('not-a-folder', `${shown} goes through a file as if it were a folder. Mend the path.`)
    case 'ELOOP':
      return refuse('link-loop', `${shown} leads through links that go in a circle. Use the file's own path.`)
    case 'ENAMETOOLONG':
      return refuse('malformed', `${shown} is longer than the file system takes. Use a shorter path.`)
    case 'EACCES':
    case 'EPERM':
      return refuse(
        'unreadable',
        `${shown} may not be read: the system denies permission. Mend its mode, or leave it.`,
      )
    default:
      return refuse('unreadable', `${shown} could not be read: ${messageOf(thrown)}.`)
  }
}
