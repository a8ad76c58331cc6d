import { checkManifest } from './check-manifest.ts'
import { checkAllParameters } from './check-parameters.ts'
import { allowsNewer } from './check-versions.ts'
import { capabilityKinds } from './declared.ts'
import { hasErrors, inTextOrder } from './diagnostic.ts'
import { type Finding, pathText } from './finding.ts'
import { readJsonDocument } from './json-document.ts'
import type { ManifestFile } from './manifest.gen.ts'
import { migrate } from './migrate.ts'
import { normaliseManifest } from './normalise-manifest.ts'
import { ownSchemaFindings } from './own-schema-findings.ts'
import type { ManifestReading, ReadManifestOptions } from './read-manifest.ts'
import { validators } from './validators.ts'

/** Reads a manifest the slow way, with a place for every finding. Never throws. */
export async function explainManifest(
  text: string,
  file: string,
  options: ReadManifestOptions,
): Promise<ManifestReading> {
  const { document, diagnostics: reading } = await readJsonDocument(text, file)
  if (document === undefined) return { diagnostics: reading }
  const migrated = migrate(document.value, options.migrations)
  const found =
    migrated.value === undefined
      ? { findings: migrated.findings }
      : await inspect(migrated.value, migrated.findings, options)
  const diagnostics = inTextOrder([...reading, ...document.diagnose(found.findings)])
  if (hasErrors(diagnostics) || found.file === undefined) return { diagnostics }
  return { manifest: normaliseManifest(found.file), diagnostics }
}

interface Inspection {
  readonly findings: readonly Finding[]
  /** The data, once nothing stands against it. */
  readonly file?: ManifestFile
}

async function inspect(
  data: unknown,
  before: readonly Finding[],
  options: ReadManifestOptions,
): Promise<Inspection> {
  const valid = validators.plugin(data)
  const lenient = options.installed === true && allowsNewer(data, options.amberVersion)
  const schema = valid
    ? []
    : ownSchemaFindings('plugin', data, validators.plugin.errors).map((finding) => refine(finding, lenient))
  const further = [...checkManifest(data, options.amberVersion), ...(await checkAllParameters(data))]
  const findings = [...before, ...schema, ...withoutRepeats(further, schema)]
  if (findings.some(({ severity }) => severity === 'error')) return { findings }
  return isManifestFile(data) ? { findings, file: data } : { findings }
}

/** Only unknown keys, which were let pass, may stand between the data and the type. */
function isManifestFile(data: unknown): data is ManifestFile {
  return (
    validators.plugin(data) ||
    (validators.plugin.errors ?? []).every((error) => error.keyword === 'additionalProperties')
  )
}

/** What the schema said of a place need not be said again in other words. */
function withoutRepeats(further: readonly Finding[], schema: readonly Finding[]): Finding[] {
  const said = schema.map(({ path }) => pathText(path))
  return further.filter(({ path, code }) => {
    if (code === 'AMB2210') return !said.some((one) => one.startsWith(pathText(path)))
    return path.length === 0 || !said.includes(pathText(path))
  })
}

function refine(finding: Finding, lenient: boolean): Finding {
  if (finding.code !== 'AMB2104' || finding.key === undefined) return finding
  const { key, path } = finding
  if ((key === 'settings' || key === 'logSinks') && path.length <= 1) {
    const message = `${JSON.stringify(key)} is not an extension point of amber`
    const hint =
      key === 'settings'
        ? 'a plugin keeps its own file, or reads environment variables; remove the key'
        : 'a plugin writes to amber’s own log with host.log; remove the key'
    return { ...finding, code: 'AMB2108', message, hint }
  }
  const kinds: readonly string[] = capabilityKinds
  const misplaced =
    path.length === 0 && kinds.includes(key)
      ? { hint: `write ${JSON.stringify(key)} under "capabilities"` }
      : {}
  return { ...finding, ...misplaced, severity: lenient ? 'warning' : 'error' }
}
