import { relative } from 'node:path'
import { type Diagnostic, hasErrors } from '../../../manifests/diagnostic.ts'
import { sanitiseText } from '../../base/sanitise.ts'
import { EXIT } from '../../headless/exit-code.ts'
import { typeCheck } from '../../plugin/type-check.ts'
import type { CliContext } from '../context.ts'
import { refreshAuthorFolder } from './author-folder.ts'
import { json } from './shape.ts'
import { showDiagnostics, toJson } from './show-diagnostics.ts'

/** `amber plugin types DIR [--check]`: writes `plugin.types.ts` when its bytes differ (MAN-5), and type-checks when asked. */
export async function types(
  options: { readonly folder: string; readonly check?: boolean; readonly json?: boolean },
  context: CliContext,
): Promise<number> {
  const { io } = context
  const ready = await refreshAuthorFolder(options.folder, context)
  const found: readonly Diagnostic[] = ready.kind === 'invalid' ? ready.diagnostics : ready.types.diagnostics
  const checked =
    options.check && ready.kind === 'ready'
      ? await typeCheck(ready.folder, { installation: context.installation.folder })
      : []
  const diagnostics = [...found, ...checked]
  const isGood = !hasErrors(diagnostics)
  if (options.json) {
    io.out.write(
      json({
        ok: isGood,
        ...(ready.kind === 'ready'
          ? { file: ready.types.file, written: ready.types.kind === 'written' }
          : {}),
        diagnostics: diagnostics.map(toJson),
      }),
    )
  } else {
    showDiagnostics(io, io.out, diagnostics)
    if (ready.kind === 'ready') {
      const file = relative(io.cwd, ready.types.file)
      io.out.write(
        sanitiseText(`${file} ${ready.types.kind === 'written' ? 'was written' : 'is up to date'}.\n`),
      )
    }
    if (options.check && isGood) io.out.write('No type error.\n')
  }
  return isGood ? EXIT.done : EXIT.failed
}
