import { readFileSync } from 'node:fs'
import type { Diagnostic } from '../../../manifests/diagnostic.ts'
import { drawFrame } from '../../../manifests/frame.ts'
import type { Output } from '../../headless/output.ts'
import { wantsColour } from '../colour.ts'
import type { Io } from '../io.ts'

/** Draws findings over the lines that they are about. The texts of files are made harmless on the way. */
export function showDiagnostics(io: Io, output: Output, diagnostics: readonly Diagnostic[]): void {
  const texts = new Map<string, string | undefined>()
  const colour = wantsColour(output, io.env)
  for (const one of diagnostics) {
    if (!texts.has(one.file)) texts.set(one.file, textOf(one.file))
    const frame = drawFrame(one, texts.get(one.file), { color: colour, cwd: io.cwd })
    output.write(`${frame}\n\n`)
  }
}

/** A finding as `--json` prints it (interfaces 2). */
export function toJson({ severity, code, file, line, column, path, message, hint }: Diagnostic) {
  return { severity, code, file, line, column, path, message, ...(hint === undefined ? {} : { hint }) }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
