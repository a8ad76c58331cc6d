import { isRecord } from '../sdk/index.ts'
import { checkCommandTree } from './check-commands.ts'
import type {
  CompletionsFile,
  ConfigFile,
  McpFile,
  PluginStateFile,
  ProviderFile,
} from './config-files.gen.ts'
import { recordOf } from './declared.ts'
import { type Diagnostic, hasErrors, inTextOrder } from './diagnostic.ts'
import { errorAt, type Finding } from './finding.ts'
import { countKeys, deepestNesting, largestText, scanJson } from './scan-json.ts'
import type { Validator } from './validator.ts'
import { validators } from './validators.ts'

/** What each kind of file holds (interfaces 3). */
export interface ConfigFiles {
  readonly completions: CompletionsFile
  readonly config: ConfigFile
  readonly provider: ProviderFile
  readonly pluginState: PluginStateFile
  readonly mcp: McpFile
}

/** A kind of file that amber reads beside manifests. */
export type ConfigFileKind = keyof ConfigFiles

/** What a file says; no value when a diagnostic is an error. */
export interface ConfigReading<Value> {
  readonly value?: Value
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Reads one of amber's files with the same care and the same diagnostics as a manifest (interfaces 3). A file without
 * a mistake costs a `JSON.parse` and a generated validator. Takes any text and never throws.
 */
export async function readConfigFile<Kind extends ConfigFileKind>(
  kind: Kind,
  text: string,
  file: string,
): Promise<ConfigReading<ConfigFiles[Kind]>> {
  const validator: Validator<ConfigFiles[Kind]> = validatorOf(kind)
  const data = parseOrderly(text)
  if (data !== undefined && validator(data) && checks[kind](data).length === 0) {
    return { value: data, diagnostics: [] }
  }
  return explain(kind, { text, file, validator })
}

function validatorOf<Kind extends ConfigFileKind>(kind: Kind): Validator<ConfigFiles[Kind]> {
  const own: { readonly [Key in ConfigFileKind]: Validator<ConfigFiles[Key]> } = validators
  return own[kind]
}

interface Explained<Value> {
  readonly text: string
  readonly file: string
  readonly validator: Validator<Value>
}

async function explain<Kind extends ConfigFileKind>(
  kind: Kind,
  { text, file, validator }: Explained<ConfigFiles[Kind]>,
): Promise<ConfigReading<ConfigFiles[Kind]>> {
  const [{ readJsonDocument }, { ownSchemaFindings }] = await Promise.all([
    import('./json-document.ts'),
    import('./own-schema-findings.ts'),
  ])
  const { document, diagnostics: reading } = await readJsonDocument(text, file)
  if (document === undefined) return { diagnostics: reading }
  const data: unknown = document.value
  const valid = validator(data)
  const errors = valid ? [] : (validator.errors ?? [])
  const findings = ownSchemaFindings(kind, data, errors).map((finding) => soften(kind, finding))
  const diagnostics = inTextOrder([...reading, ...document.diagnose([...findings, ...checks[kind](data)])])
  if (hasErrors(diagnostics)) return { diagnostics }
  return isAllowed(data, validator) ? { value: data, diagnostics } : { diagnostics }
}

/** Other programs write more into their mcp.json than amber knows. */
function soften(kind: ConfigFileKind, finding: Finding): Finding {
  return kind === 'mcp' && finding.code === 'AMB2104' ? { ...finding, severity: 'warning' } : finding
}

function isAllowed<Value>(data: unknown, validator: Validator<Value>): data is Value {
  return (
    validator(data) || (validator.errors ?? []).every(({ keyword }) => keyword === 'additionalProperties')
  )
}

function parseOrderly(text: string): unknown {
  if (text.length > largestText) return undefined
  try {
    const data: unknown = JSON.parse(text)
    const { depth, colons } = scanJson(text)
    return depth <= deepestNesting && colons === countKeys(data) ? data : undefined
  } catch {
    return undefined
  }
}

/** What a schema cannot say. */
const checks: { readonly [Kind in ConfigFileKind]: (data: unknown) => readonly Finding[] } = {
  completions: checkCommandTree,
  config: () => [],
  provider: () => [],
  pluginState: () => [],
  mcp: checkServers,
}

function checkServers(data: unknown): Finding[] {
  return Object.entries(recordOf(recordOf(data).mcpServers)).flatMap(([name, server]) => {
    if (!isRecord(server) || (server.command === undefined) !== (server.url === undefined)) return []
    const which = server.command === undefined ? 'neither "command" nor "url"' : 'both "command" and "url"'
    const hint = '"command" for a program to start, "url" for an address: one of the two'
    return [errorAt('AMB2301', ['mcpServers', name], { message: `the server has ${which}`, hint })]
  })
}
