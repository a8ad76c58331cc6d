import type { Diagnostic } from './diagnostic.ts'
import { errorAt, type Path, valueAt } from './finding.ts'
import { readJsonDocument } from './json-document.ts'

/**
 * Gives findings about a manifest that were made without its text (by the host, about what was declared) the line and
 * column of the value that their `path` names. All others, and those whose value is not there, stay as they are.
 */
export async function placeDiagnostics(
  diagnostics: readonly Diagnostic[],
  manifest: { readonly text: string; readonly file: string },
): Promise<readonly Diagnostic[]> {
  if (!diagnostics.some((one) => isUnplaced(one, manifest.file))) return diagnostics
  const { document } = await readJsonDocument(manifest.text, manifest.file)
  if (document === undefined) return diagnostics
  return diagnostics.map((one) => {
    if (!isUnplaced(one, manifest.file)) return one
    const path = readPath(one.path)
    if (valueAt(document.value, path) === undefined) return one
    // Only the place is taken: the finding is the host's.
    const [placed] = document.diagnose([errorAt('AMB2101', path, { message: one.message })])
    if (placed === undefined) return one
    const { line, column, length } = placed
    return { ...one, line, column, ...(length === undefined ? {} : { length }) }
  })
}

function isUnplaced({ file, line, column, path }: Diagnostic, manifestFile: string): boolean {
  return file === manifestFile && line === 1 && column === 1 && path !== ''
}

/** Reads what `pathText` wrote. */
function readPath(text: string): Path {
  return [...text.matchAll(/\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]|([A-Za-z_$][\w$-]*)/g)].map(
    ([, index, quoted, plain]) => (index === undefined ? (plain ?? unquoted(quoted)) : Number(index)),
  )
}

function unquoted(text = ''): string {
  const value: unknown = JSON.parse(`"${text}"`)
  return typeof value === 'string' ? value : text
}
