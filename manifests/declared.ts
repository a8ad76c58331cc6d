import { isRecord } from '../sdk/index.ts'
import type { Path } from './finding.ts'

/** An object of a manifest that may still be anything, with its path. */
export interface Declared {
  readonly path: Path
  readonly value: Readonly<Record<string, unknown>>
}

/** The kinds of capability, as the manifest writes them. */
export const capabilityKinds = [
  'tools',
  'promptBlocks',
  'statusSegments',
  'panels',
  'commands',
  'providers',
  'wallets',
  'allowances',
  'searchBackends',
  'skills',
] as const

/** A key of `capabilities`. */
export type CapabilityKind = (typeof capabilityKinds)[number]

/** The declarations of one kind that are objects at all; the schema's own checks speak about the rest. */
export function declaredOf(manifest: unknown, kind: CapabilityKind): Declared[] {
  return objectsIn(recordOf(recordOf(manifest).capabilities)[kind], ['capabilities', kind])
}

/** The objects in a list, with their paths. */
export function objectsIn(list: unknown, path: Path): Declared[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((value, index) => (isRecord(value) ? [{ path: [...path, index], value }] : []))
}

/** A plain object, or an empty one in its place. */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {}
}

/** The strings in a list. */
export function stringsIn(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : []
}
