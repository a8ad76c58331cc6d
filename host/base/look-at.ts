import { type Stats, statSync } from 'node:fs'

/**
 * What stands at a path, links followed; undefined when that cannot be said: nothing is there, a link leads nowhere or
 * round in a circle, or the way to it is closed. Never throws, as `statSync` does for the last two.
 */
export function lookAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
