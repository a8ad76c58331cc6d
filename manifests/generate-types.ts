import { argumentTypes } from './argument-types.ts'
import { commandPaths } from './command-node.ts'
import type { Diagnostic } from './diagnostic.ts'
import type { Finding } from './finding.ts'
import type { Capabilities, Manifest, ProviderDeclaration, ToolDeclaration } from './manifest.ts'
import { commentText } from './typable-schema.ts'
import { typeName } from './type-names.ts'

/** The text of `plugin.types.ts`, and a warning for each tool whose arguments have no type. */
export interface GeneratedTypes {
  readonly text: string
  readonly diagnostics: readonly Diagnostic[]
}

/** A manifest's file and text. */
export interface TypesSource {
  readonly file: string
  readonly text: string
}

const header = `// Made from plugin.json by amber. Do not edit: \`amber plugin types\` and \`amber dev\` write it anew.
`

/**
 * Makes the types that hold an entry against its manifest (contract MAN-4): `definePlugin<Id>` takes the interface,
 * `Id` being the plugin's id in PascalCase. The same manifest gives the same bytes (MAN-5). A schema that cannot be
 * typed gives `unknown` and a warning.
 *
 * @param source the manifest's file and text, so that the warnings find their places
 */
export async function generateTypes(manifest: Manifest, source?: TypesSource): Promise<GeneratedTypes> {
  const name = typeName(manifest.id)
  const used = new Set([name])
  const tools: string[] = []
  const declarations: string[] = []
  const findings: Finding[] = []
  for (const [index, tool] of manifest.capabilities.tools.entries()) {
    const types = await argumentTypes(tool, used)
    tools.push(toolMember(tool, types.name))
    if (types.text !== '') declarations.push(types.text.trim())
    if (types.fault !== undefined) findings.push(untypable(index, types.fault))
  }
  const shape = shapeText(name, manifest, tools)
  return {
    text: `${[header + shape, ...declarations].join('\n\n')}\n`,
    diagnostics: await placed(findings, source),
  }
}

function untypable(index: number, fault: string): Finding {
  return {
    severity: 'warning',
    code: 'AMB2214',
    path: ['capabilities', 'tools', index, 'parameters'],
    message: `no types can be made of this schema, the arguments are unknown: ${fault.split('\n', 1)[0]}`,
    hint: 'the tool works all the same; simplify the schema to have its arguments checked by the compiler',
  }
}

/** Without the text every finding stands at its beginning. */
async function placed(
  findings: readonly Finding[],
  source: TypesSource | undefined,
): Promise<readonly Diagnostic[]> {
  if (findings.length === 0) return []
  const { readJsonDocument } = await import('./json-document.ts')
  const { document } = await readJsonDocument(source?.text ?? '{}', source?.file ?? 'plugin.json')
  return document?.diagnose(findings) ?? []
}

function shapeText(name: string, manifest: Manifest, tools: readonly string[]): string {
  const { capabilities, description, activation } = manifest
  const members = [
    ['tools', record(tools)],
    [
      'promptBlocks',
      union(capabilities.promptBlocks.filter(({ file }) => file === undefined).map(({ name }) => name)),
    ],
    ['statusSegments', union(capabilities.statusSegments.map((one) => one.name))],
    ['panels', union(capabilities.panels.map(({ id }) => id))],
    ['commands', record(commandMembers(capabilities))],
    ['providers', record(capabilities.providers.flatMap(providerMember))],
    ['wallets', union(capabilities.wallets.map(({ provider }) => provider))],
    ['allowances', union(capabilities.allowances.map(({ provider }) => provider))],
    ['searchBackends', union(capabilities.searchBackends.map(({ mode }) => mode))],
    ['skills', union(capabilities.skills.filter(({ file }) => file === undefined).map((one) => one.name))],
    ['events', String(activation === 'startup')],
  ]
  const lines = members.map(([key, type]) => `  ${key}: ${type}`)
  return `${comment(description, '')}export interface ${name} {\n${lines.join('\n')}\n}`
}

function toolMember(tool: ToolDeclaration, type: string): string {
  const member = `${JSON.stringify(tool.name)}: { arguments: ${type}; approval: ${JSON.stringify(tool.approval)} }`
  return `${comment(tool.description, '    ')}    ${member}`
}

function commandMembers({ commands }: Capabilities): string[] {
  return commands.map((command) => {
    const paths = union(commandPaths(command))
    return `${comment(command.help, '    ')}    ${JSON.stringify(command.root)}: ${paths}`
  })
}

/** A provider that is all data takes no part. */
function providerMember({ name, ownDialect, presets }: ProviderDeclaration): string[] {
  const start = presets.some(({ apiBase }) => apiBase === undefined)
  if (!ownDialect && !start) return []
  return [`    ${JSON.stringify(name)}: { dialect: ${ownDialect}; start: ${start} }`]
}

function record(members: readonly string[]): string {
  return members.length === 0 ? '{}' : `{\n${members.join('\n')}\n  }`
}

function union(names: readonly string[]): string {
  return names.length === 0 ? 'never' : names.map((name) => JSON.stringify(name)).join(' | ')
}

function comment(text: string, indent: string): string {
  if (text.trim() === '') return ''
  const lines = commentText(text).trim().split('\n')
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`
}
