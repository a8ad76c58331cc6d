import { lookAt } from '../host/base/look-at.ts'
import type { Diagnostic } from '../manifests/diagnostic.ts'
import { readOr } from './watched-folder.ts'

/** The lines around a finding, as they stood when it was told. */
export interface Excerpt {
  /** The number of the first of the lines. */
  readonly first: number
  readonly lines: readonly string[]
}

/** A finding with the lines that it is about; without them where they cannot be read. */
export interface FramedDiagnostic extends Diagnostic {
  readonly excerpt?: Excerpt
}

/** Lines above and below the finding. */
const AROUND = 2
/** Characters of a line. */
const MAX_LINE = 400
/** Bytes of a file. */
const MAX_FILE = 4_000_000

/** Takes the lines around a finding out of a text; undefined where the text has no such line. */
export function excerptOf(text: string, line: number): Excerpt | undefined {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n/)
  if (line < 1 || line > lines.length) return undefined
  const first = Math.max(1, line - AROUND)
  return { first, lines: lines.slice(first - 1, line + AROUND).map((one) => one.slice(0, MAX_LINE)) }
}

/** Reads the lines of each finding. */
export function frameAll(diagnostics: readonly Diagnostic[]): readonly FramedDiagnostic[] {
  const texts = new Map<string, string | undefined>()
  return diagnostics.map((one) => {
    if (!texts.has(one.file)) texts.set(one.file, smallTextOf(one.file))
    const text = texts.get(one.file)
    const excerpt = text === undefined ? undefined : excerptOf(text, one.line)
    return excerpt === undefined ? one : { ...one, excerpt }
  })
}

function smallTextOf(file: string): string | undefined {
  const stat = lookAt(file)
  return stat?.isFile() && stat.size <= MAX_FILE ? readOr(file) : undefined
}
