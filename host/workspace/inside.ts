import { relative, sep } from 'node:path'

/** Whether `path` is `folder` or below it, by whole path segments: `/tmp/project-other` is not in `/tmp/project`. */
export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

/** A path below the root as people and models write it: with `/`; `.` is the root itself. */
export function relativeTo(root: string, path: string): string {
  return relative(root, path).split(sep).join('/') || '.'
}
