import type { SearchQuery } from 'amber-agent/sdk'
import { plainNameGlobs } from './glob-filter.ts'

/**
 * The command line of one search. The pattern stands behind `-e` and the path behind `--`, so that neither can become
 * an option; without a path ripgrep would read standard input and hang.
 */
export function ripgrepArguments(
  query: SearchQuery,
  options: { readonly inGit: boolean },
): readonly string[] {
  return [
    '--json',
    '--no-config',
    '--no-follow',
    '--crlf',
    // Mapped files are looked at for NUL bytes only here and there.
    '--no-mmap',
    '--hidden',
    '--glob=!.git',
    // The user's own ignore files are no property of the workspace, and the search without ripgrep has none either.
    '--no-ignore-global',
    '--no-ignore-exclude',
    ...(options.inGit ? [] : ['--no-require-git']),
    ...typeArguments(query.glob),
    '-e',
    query.pattern,
    '--',
    query.path,
  ]
}

/** As a file type a glob only narrows; as `--glob` it would bring back what `.gitignore` leaves out. */
function typeArguments(glob: string | undefined): readonly string[] {
  const globs = plainNameGlobs(glob)
  return globs.length === 0 ? [] : [...globs.map((one) => `--type-add=asked:${one}`), '--type=asked']
}
