import { allProviders, findKey, type ProviderSources } from './provider-sources.ts'

/** Every key that this amber has come across: none of them ever reaches a log (PRO-13). */
export interface Secrets {
  all(): readonly string[]
  /** Takes the keys of all providers, those in files and in variables of any name. */
  learn(sources: Pick<ProviderSources, 'env' | 'files' | 'providers'>): void
}

const LEAST_LENGTH = 8

/** Starts with whatever the environment calls a key, a token, a secret or a password. */
export function createSecrets(env: Readonly<Record<string, string | undefined>>): Secrets {
  const known = new Set<string>()
  const add = (value = '') => {
    if (value.length >= LEAST_LENGTH) known.add(value)
  }
  for (const [name, value] of Object.entries(env)) {
    if (/(KEY|TOKEN|SECRET|PASSWORD)$/i.test(name)) add(value)
  }
  return {
    all: () => [...known],
    learn(sources) {
      for (const provider of allProviders({ ...sources, flags: {}, config: {}, unavailable: new Map() })) {
        add(findKey(provider, sources.env).key)
      }
    },
  }
}
