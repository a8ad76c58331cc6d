import type { PluginHost } from './host.ts'
import type { PluginEntry, PluginShape } from './plugin.ts'

/** The one function of a plugin: run once per activation, plain or async (interfaces 5). */
export type PluginFactory<Shape extends PluginShape> = (
  host: PluginHost,
) => PluginEntry<Shape> | Promise<PluginEntry<Shape>>

/** What a plugin's entry exports by default. */
export interface PluginDefinition {
  readonly amber: 'plugin'
  /** Untyped on purpose: the host checks the answer against the manifest at run time. */
  readonly factory: (host: PluginHost) => unknown
}

/** The compile error of a TypeScript author who leaves the type argument out. */
interface TypeArgumentMissing {
  readonly 'definePlugin needs the type that was generated from plugin.json': 'definePlugin<MyPlugin>((host) => …)'
}

/**
 * Declares a plugin. The type argument is the one that amber generates from `plugin.json`
 * (`plugin.types.ts`); with it the compiler holds the handlers against the manifest (contract MAN-4).
 * JavaScript leaves it out and is checked at run time alone.
 */
export function definePlugin<Shape extends PluginShape = never>(
  factory: [Shape] extends [never] ? TypeArgumentMissing : PluginFactory<Shape>,
): PluginDefinition
export function definePlugin(factory: (host: PluginHost) => unknown): PluginDefinition {
  return { amber: 'plugin', factory }
}

/** Whether a value is what {@link definePlugin} makes. */
export function isPluginDefinition(value: unknown): value is PluginDefinition {
  return (
    typeof value === 'object' &&
    value !== null &&
    'amber' in value &&
    value.amber === 'plugin' &&
    'factory' in value &&
    typeof value.factory === 'function'
  )
}
