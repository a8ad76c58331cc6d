import { type PluginFolder, plainTool, pluginFolder } from '../support/plugin-folder.ts'

/** A plugin of so many files, each of which its one tool and its status segment run through. */
export function workshopPlugin(parent: string, id: string, files: number): PluginFolder {
  const plugin = pluginFolder(parent, id)
  plugin.manifest({
    entry: './index.ts',
    capabilities: {
      tools: [plainTool(id)],
      statusSegments: [{ name: `${id}_mark`, priority: 1 }],
    },
  })
  plugin.write(
    'tsconfig.json',
    JSON.stringify({
      compilerOptions: { noEmit: true, skipLibCheck: true, types: [] },
      include: ['part-*.ts'],
    }),
  )
  for (let part = 1; part < files; part += 1) plugin.write(`part-${part}.ts`, partSource(part))
  plugin.write('index.ts', workshopEntry(id, files, 'start'))
  return plugin
}

/** The entry, with the text that its segment and its tool show. */
export function workshopEntry(id: string, files: number, mark: string): string {
  const parts = Array.from({ length: files - 1 }, (_, index) => index + 1)
  return `import { definePlugin } from 'amber-agent/sdk'
${parts.map((part) => `import { run as run${part} } from './part-${part}.ts'`).join('\n')}
const mark = [${parts.map((part) => `run${part}`).join(', ')}].reduce((text, run) => run(text), '${mark}')
export default definePlugin<any>(() => ({
  tools: { ${id}: { execute: () => ({ ok: true, output: mark }) } },
  statusSegments: { ${id}_mark: () => ({ text: mark, tone: 'good' }) },
}))
`
}

/** About as much as a file of a plugin holds. */
function partSource(part: number): string {
  const lines = Array.from(
    { length: 30 },
    (_, line) => `  if (text.length < -${line}) return text + 'part ${part} line ${line}'`,
  )
  return `/** Part ${part}. */\nexport function run(text: string): string {\n${lines.join('\n')}\n  return text\n}\n`
}
