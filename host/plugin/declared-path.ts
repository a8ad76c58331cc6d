import { type Path, pathText } from '../../manifests/finding.ts'
import type { Manifest } from '../../manifests/manifest.ts'
import { isRecord } from '../../sdk/index.ts'

/** The keys that name a capability, by kind of list; a provider is named by its first preset. */
const NAME_KEYS = ['name', 'id', 'root', 'mode', 'provider'] as const

/**
 * Where a manifest declares something, as diagnostics write it: `capabilities.tools[0].name`. `section` is the list
 * (`tools`), `leaf` a command below its root (`config.set`). Empty when it is not declared there.
 */
export function declaredPath(
  manifest: Manifest,
  section: string,
  [name, leaf]: readonly (string | undefined)[],
): string {
  const list: unknown = Reflect.get(manifest.capabilities, section)
  if (!Array.isArray(list) || name === undefined) return ''
  for (const [at, item] of list.entries()) {
    const path = pathOfItem(item, name)
    if (path !== undefined) return pathText(['capabilities', section, at, ...leafPath(item, leaf, path)])
  }
  return ''
}

function pathOfItem(item: unknown, name: string): Path | undefined {
  if (!isRecord(item)) return undefined
  if (Array.isArray(item.presets)) {
    const preset = item.presets.findIndex((one) => isRecord(one) && one.name === name)
    return preset === -1 ? undefined : ['presets', preset, 'name']
  }
  const key = NAME_KEYS.find((one) => item[one] === name)
  return key === undefined ? undefined : [key]
}

/** A command's leaf stands below `children`, step by step. */
function leafPath(item: unknown, leaf: string | undefined, path: Path): Path {
  if (leaf === undefined || leaf === '' || !isRecord(item)) return path
  return leaf.split('.').flatMap((step) => ['children', step])
}
