import { faultOfPath, namedFiles } from './check-paths.ts'
import type { Diagnostic } from './diagnostic.ts'
import { errorAt, type Finding } from './finding.ts'
import { readJsonDocument } from './json-document.ts'

/**
 * Reports each file that the manifest names and that is not there (W29). `exists` gets the path as the manifest
 * writes it, relative to the manifest.
 */
export async function checkFiles(
  text: string,
  file: string,
  exists: (relative: string) => boolean | Promise<boolean>,
): Promise<readonly Diagnostic[]> {
  const { document } = await readJsonDocument(text, file)
  if (document === undefined) return []
  const findings: Finding[] = []
  for (const named of namedFiles(document.value)) {
    if (faultOfPath(named.file) !== undefined || (await exists(named.file))) continue
    const message = `the file ${JSON.stringify(named.file)} is not there`
    findings.push(errorAt('AMB2213', named.path, { message, hint: 'create it, or correct the path' }))
  }
  return document.diagnose(findings)
}
