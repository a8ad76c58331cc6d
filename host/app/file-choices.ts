import type { Clock } from '../base/clock.ts'

/** The files of the workspace, for completion: known at once, and looked at again when they may be others. */
export interface FileChoices {
  /** As they were listed last; empty before. */
  known(): readonly string[]
  /** Lists them anew where that was not just done; true when they are others. Never rejects. */
  refresh(): Promise<boolean>
  list(): Promise<readonly string[]>
}

/** A list younger than this is not made again. Milliseconds. */
const FRESH_MS = 3000

/** Makes it; nothing is listed before it is asked to. */
export function createFileChoices(list: () => Promise<readonly string[]>, clock: Clock): FileChoices {
  let files: readonly string[] = []
  let listedAt = Number.NEGATIVE_INFINITY
  return {
    known: () => files,
    list,
    async refresh() {
      if (clock.monotonic() - listedAt < FRESH_MS) return false
      listedAt = clock.monotonic()
      const now = await list().catch(() => files)
      const isOther = now.length !== files.length || now.some((file, at) => file !== files[at])
      files = now
      return isOther
    },
  }
}
