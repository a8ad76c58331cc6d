import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A plugin on disk, as a test writes and changes it. */
export interface PluginFolder {
  readonly id: string
  readonly folder: string
  /** Writes a file of the plugin, in place. */
  write(name: string, text: string): void
  /** Writes the manifest; `change` is laid over a plain one. */
  manifest(change?: Readonly<Record<string, unknown>>): void
  remove(): void
}

/** Makes a plugin folder with a manifest and no entry. */
export function pluginFolder(parent: string, id: string): PluginFolder {
  const folder = join(parent, id)
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return {
    id,
    folder,
    write,
    manifest: (change = {}) =>
      write('plugin.json', JSON.stringify({ ...plainManifest(id), ...change }, undefined, 2)),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** The least that a manifest says. */
export function plainManifest(id: string): Readonly<Record<string, unknown>> {
  return {
    manifestVersion: 1,
    id,
    version: '0.1.0',
    name: id,
    description: `The plugin ${id} of a test.`,
    engines: { amber: '>=0.1.0' },
  }
}

/** A tool declaration that takes nothing. */
export function plainTool(name: string): Readonly<Record<string, unknown>> {
  return {
    name,
    description: `Answers for ${name}.`,
    parameters: { type: 'object', properties: {}, additionalProperties: false },
  }
}

/** An entry whose one tool answers a fixed text. */
export function answeringEntry(tool: string, answer: string): string {
  return `import { definePlugin } from 'amber-agent/sdk'
export default definePlugin<any>(() => ({
  tools: { ${JSON.stringify(tool)}: { execute: () => ({ ok: true, output: ${JSON.stringify(answer)} }) } },
}))
`
}

/** A plugin with one tool of its own name that answers a fixed text. */
export function answeringPlugin(parent: string, id: string, answer: string): PluginFolder {
  const plugin = pluginFolder(parent, id)
  plugin.manifest({ entry: './index.ts', capabilities: { tools: [plainTool(id)] } })
  plugin.write('index.ts', answeringEntry(id, answer))
  return plugin
}
