import { checkManifest } from './check-manifest.ts'
import { declaredOf } from './declared.ts'
import type { ManifestFile } from './manifest.gen.ts'
import type { Manifest } from './manifest.ts'
import { normaliseManifest } from './normalise-manifest.ts'
import { isPlainSchema } from './plain-schema.ts'
import { countKeys, deepestNesting, largestText, scanJson } from './scan-json.ts'
import { validators } from './validators.ts'

/** How a manifest is read in a hurry. */
export interface FastReading {
  readonly amberVersion: string
}

/**
 * Reads a manifest that is entirely in order, at start-up: `JSON.parse`, generated validators and plain checks, with
 * neither Ajv nor a parser of ours. `undefined` means only that something wants a closer look: {@link readManifest}
 * takes it. Never throws.
 */
export function readManifestFast(text: string, options: FastReading): Manifest | undefined {
  const data = parse(text)
  if (data === undefined || !isOrderly(text, data)) return undefined
  if (!validators.plugin(data) || checkManifest(data, options.amberVersion).length > 0) return undefined
  return hasPlainParameters(data) ? normaliseManifest(data) : undefined
}

function parse(text: string): unknown {
  if (text.length > largestText) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Bounded depth, and as many colons as keys: so no key stands twice. */
function isOrderly(text: string, data: unknown): boolean {
  const { depth, colons } = scanJson(text)
  return depth <= deepestNesting && colons === countKeys(data)
}

function hasPlainParameters(manifest: ManifestFile): boolean {
  return declaredOf(manifest, 'tools').every(({ value }) => isPlainSchema(value.parameters))
}
