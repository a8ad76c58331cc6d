import { isRecord } from '../../../sdk/index.ts'
import { combineEntries, combineTests, toJavaScript } from './entry-text.ts'
import { jsonText } from './json-text.ts'
import { renamer, titleOf } from './spellings.ts'
import type { CommonFiles, Template } from './template.ts'

/** A plugin that is to be written. */
export interface NewPlugin {
  readonly id: string
  readonly templates: readonly Template[]
  readonly common: CommonFiles
  /** JavaScript instead of TypeScript. */
  readonly js: boolean
  /** What `engines.amber` starts at. */
  readonly amberVersion: string
  readonly schema: string
}

/** The files of a new plugin by name, but for what is generated: types and link. */
export function composePlugin(plugin: NewPlugin): ReadonlyMap<string, string> {
  const { id, common, js } = plugin
  const templates = plugin.templates.map((one) => renameTemplate(one, id))
  const language = js ? toJavaScript : (text: string) => text
  const extension = js ? 'js' : 'ts'
  const entries = templates.flatMap(({ entry }) => entry ?? [])
  const hasEntry = entries.length > 0
  const manifest = composeManifest(plugin, templates, hasEntry ? `./index.${extension}` : undefined)
  const others = templates.flatMap(({ files }) =>
    [...files].map(([name, text]): [string, string] =>
      name.endsWith('.ts') ? [name.replace(/ts$/, extension), language(text)] : [name, text],
    ),
  )
  return new Map([
    ['plugin.json', jsonText(manifest)],
    ...(hasEntry ? [[`index.${extension}`, language(combineEntries(entries))] as const] : []),
    ...others,
    [`${id}.test.${extension}`, language(combineTests(templates.map(({ test }) => test)))],
    ['README.md', composeReadme(manifest, templates, common)],
    ['tsconfig.json', js ? javaScriptConfig(common.tsconfig) : common.tsconfig],
    ['.gitignore', common.gitignore],
  ])
}

function renameTemplate(template: Template, id: string): Template {
  const rename = renamer(template.id, id)
  const manifest: unknown = JSON.parse(rename(JSON.stringify(template.manifest)))
  if (!isRecord(manifest)) throw new Error(`the manifest of ${template.id} is no object`)
  return {
    ...template,
    manifest,
    entry: template.entry === undefined ? undefined : rename(template.entry),
    test: rename(template.test),
    readme: rename(template.readme),
    files: new Map([...template.files].map(([name, text]) => [rename(name), rename(text)])),
  }
}

interface ComposedManifest extends Readonly<Record<string, unknown>> {
  readonly name: string
  readonly description: string
}

function composeManifest(
  { id, amberVersion, schema }: NewPlugin,
  templates: readonly Template[],
  entry: string | undefined,
): ComposedManifest {
  const manifests = templates.map(({ manifest }) => manifest)
  const descriptions = manifests.map(({ description }) => String(description))
  return {
    $schema: schema,
    manifestVersion: 1,
    id,
    version: '0.1.0',
    name: titleOf(id),
    description: descriptions.join(' '),
    category: manifests[0]?.category ?? 'other',
    engines: { amber: `>=${amberVersion}` },
    ...(entry === undefined ? {} : { entry }),
    ...(manifests.some(({ activation }) => activation === 'startup') ? { activation: 'startup' } : {}),
    capabilities: mergeCapabilities(manifests.map(({ capabilities }) => capabilities)),
  }
}

/** Appends list to list; what two kinds declare under one name (a wallet's provider) stands there once. */
function mergeCapabilities(all: readonly unknown[]): Readonly<Record<string, readonly unknown[]>> {
  const merged: Record<string, unknown[]> = {}
  for (const [section, declared] of all.flatMap((one) => (isRecord(one) ? Object.entries(one) : []))) {
    if (!Array.isArray(declared)) continue
    const known = new Set((merged[section] ?? []).map(nameOf))
    merged[section] = [...(merged[section] ?? []), ...declared.filter((one) => !known.has(nameOf(one)))]
  }
  return merged
}

/** By what a capability is told from its like; a provider by its first preset. */
function nameOf(declared: unknown): unknown {
  if (!isRecord(declared)) return declared
  const { name, id, root, mode, provider, presets } = declared
  return name ?? id ?? root ?? mode ?? provider ?? (Array.isArray(presets) ? nameOf(presets[0]) : undefined)
}

/** Name and description, a section a kind, and what holds for every plugin. */
function composeReadme(
  { name, description }: ComposedManifest,
  templates: readonly Template[],
  common: CommonFiles,
): string {
  const sections = templates.map(({ readme }) => readme.slice(readme.indexOf('\n## ') + 1).trimEnd())
  return `${[`# ${name}`, description, ...sections, common.readme.trimEnd()].join('\n\n')}\n`
}

/** JavaScript is checked at run time; the compiler still reads it, and the generated types. */
function javaScriptConfig(text: string): string {
  const config: unknown = JSON.parse(text)
  if (!isRecord(config) || !isRecord(config.compilerOptions)) throw new Error('the tsconfig is no object')
  return jsonText({
    compilerOptions: { ...config.compilerOptions, allowJs: true, checkJs: false },
    include: ['**/*.js', '**/*.ts'],
  })
}
