import type { ProviderSources } from '../llm/provider-sources.ts'

/** What the command line or the environment says for this run; it wins over `config.json` (interfaces 2). */
export interface RunChoice {
  readonly flags: Pick<ProviderSources['flags'], 'provider' | 'model' | 'apiBase'>
  /** Settings that it decides, by key. */
  readonly settings: Readonly<Record<string, GivenSetting>>
}

/** The value of a setting in this run alone. */
export interface GivenSetting {
  readonly value: string
  /** `--model`, `AMBER_MODEL`. */
  readonly source: string
}

/** Nothing was said. */
export const NOTHING_GIVEN: RunChoice = { flags: {}, settings: {} }
