import type { ErrorObject } from 'ajv'
import type {
  CompletionsFile,
  ConfigFile,
  McpFile,
  PluginStateFile,
  ProviderFile,
} from './config-files.gen.ts'
import type { ManifestFile } from './manifest.gen.ts'

/** Checks one kind of file; after a `false` its `errors` say all that is wrong. */
export interface Validator<Value> {
  (data: unknown): data is Value
  errors?: ErrorObject[] | null
}

/** A validator for each kind of file that amber reads. */
export interface Validators {
  readonly plugin: Validator<ManifestFile>
  readonly completions: Validator<CompletionsFile>
  readonly config: Validator<ConfigFile>
  readonly provider: Validator<ProviderFile>
  readonly pluginState: Validator<PluginStateFile>
  readonly mcp: Validator<McpFile>
}
