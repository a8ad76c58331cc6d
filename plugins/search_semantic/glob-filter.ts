import ignore from 'ignore'

/** Alternatives that the braces of one glob may grow to. */
const MAX_ALTERNATIVES = 256

/** Says whether a file, by its path relative to the workspace's root with `/`, is asked for. */
export type GlobFilter = (path: string) => boolean

/**
 * A filter of a glob as people write them: `*.ts` is about the file's name wherever it is, a glob with a slash about
 * the path from the workspace's root, `{a,b}` are alternatives, a leading `!` leaves out what matches.
 */
export function createGlobFilter(glob: string | undefined): GlobFilter {
  if (glob === undefined) return () => true
  const negative = glob.startsWith('!')
  const positive = (negative ? glob.slice(1) : glob).replace(/^\.\//, '')
  const rules = ignore({ ignorecase: false }).add(expandBraces(positive).map(escapeMark))
  const byName = !positive.includes('/')
  return (path) => rules.ignores(byName ? path.slice(path.lastIndexOf('/') + 1) : path) !== negative
}

/** `a.{b,c}` as `a.b` and `a.c`; a brace without its partner stays as it is. */
export function expandBraces(glob: string): readonly string[] {
  const expanded = [glob]
  for (let at = 0; at < expanded.length; ) {
    const found = innerBraces(expanded[at] ?? '')
    if (!found || expanded.length + found.length > MAX_ALTERNATIVES) at += 1
    else expanded.splice(at, 1, ...found)
  }
  return expanded
}

function innerBraces(glob: string): readonly string[] | undefined {
  const match = /\{([^{}]*,[^{}]*)\}/.exec(glob)
  if (!match) return undefined
  const [whole, inside = ''] = match
  const head = glob.slice(0, match.index)
  const tail = glob.slice(match.index + whole.length)
  return inside.split(',').map((one) => head + one + tail)
}

/** In a list of rules `#` begins a comment and `!` an exception; here they are characters of a name. */
function escapeMark(glob: string): string {
  return /^[#!]/.test(glob) ? `\\${glob}` : glob
}
