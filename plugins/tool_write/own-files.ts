import type { WorkspaceService } from 'amber-agent/sdk'

/**
 * Whether a path leads into `.git` or `.amber`, as written or through links: what stands there decides which programs git
 * and amber run, so writing there is no ordinary change of a file.
 */
export async function isOwnFile(workspace: WorkspaceService, path: string): Promise<boolean> {
  if (namesOne(path)) return true
  const found = await workspace.locate(path)
  return found.ok && namesOne(found.relative)
}

/** In any spelling that a file system may take for it. */
function namesOne(path: string): boolean {
  return path
    .split(/[/\\]/)
    .some((name) => /^\.(git|amber)[. ]*$/i.test(name.normalize('NFKC').replace(/\p{Cf}/gu, '')))
}
