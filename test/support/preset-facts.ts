import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PLUGINS = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'plugins')

/** The `providers` capabilities of a bundled plugin's manifest, as written. */
export function providersOf(plugin: string): unknown {
  const manifest: { readonly capabilities: { readonly providers: unknown } } = JSON.parse(
    readFileSync(join(PLUGINS, plugin, 'plugin.json'), 'utf8'),
  )
  return manifest.capabilities.providers
}
