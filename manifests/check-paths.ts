import { declaredOf, recordOf } from './declared.ts'
import { errorAt, type Finding, type Path } from './finding.ts'

/** A file that a manifest names, and where it names it. */
export interface NamedFile {
  readonly file: string
  readonly path: Path
}

/** The files that a manifest names: its entry, and the texts of blocks and skills. */
export function namedFiles(manifest: unknown): NamedFile[] {
  const { entry } = recordOf(manifest)
  const texts = [...declaredOf(manifest, 'promptBlocks'), ...declaredOf(manifest, 'skills')]
  const named = texts.map(({ path, value }) => ({ file: value.file, path: [...path, 'file'] }))
  return [{ file: entry, path: ['entry'] }, ...named].flatMap(({ file, path }) =>
    typeof file === 'string' ? [{ file, path }] : [],
  )
}

/** Named files stay in the plugin's folder, and name something in it. */
export function checkPaths(manifest: unknown): Finding[] {
  return namedFiles(manifest).flatMap(({ file, path }) => {
    const fault = faultOfPath(file)
    if (fault === undefined) return []
    const hint = 'write a path relative to plugin.json, with /, as in ./index.ts or prompts/notes.md'
    return [errorAt('AMB2208', path, { message: `${JSON.stringify(file)} ${fault}`, hint })]
  })
}

/** What is wrong with the text of a path; undefined when it stays in the folder and names something. */
export function faultOfPath(file: string): string | undefined {
  if (/[\0-\x1f\x7f]/.test(file)) return 'holds a control character'
  if (file.includes('\\')) return 'is written with \\, which is no separator here'
  if (/^(\/|[A-Za-z]:|~|[a-z]+:\/\/)/.test(file)) return 'is not relative to the plugin’s folder'
  let depth = 0
  for (const part of file.split('/')) {
    if (part === '..') depth--
    else if (part !== '.' && part !== '') depth++
    if (depth < 0) return 'leaves the plugin’s folder'
  }
  return depth === 0 || file.endsWith('/') ? 'names no file' : undefined
}
