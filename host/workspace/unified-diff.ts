/** Two texts without a line in common would take minutes to compare. */
const TIMEOUT_MS = 250

/** A unified diff of a file; undefined stands for a file that is not there. The library is loaded with the first one. */
export async function unifiedDiff(
  path: string,
  before: string | undefined,
  after: string | undefined,
): Promise<string> {
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import('diff')
  const diff = createTwoFilesPatch(
    before === undefined ? '/dev/null' : `a/${path}`,
    after === undefined ? '/dev/null' : `b/${path}`,
    before ?? '',
    after ?? '',
    undefined,
    undefined,
    { context: 3, timeout: TIMEOUT_MS, headerOptions: FILE_HEADERS_ONLY },
  )
  return diff?.trimEnd() ?? `--- a/${path}\n+++ b/${path}\n(the difference is too large to show)`
}
