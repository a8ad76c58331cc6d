import { dataFile } from './data-file.ts'
import { invoke, mustBeFunction } from './handler.ts'
import { byPriority, type KindDefinition, RENDER_DEADLINE_MS } from './kind.ts'

/** Prompt blocks: a file is data, a handler renders; `''` contributes nothing (PRM-1). */
export const promptBlock: KindDefinition<'promptBlock'> = {
  field: 'promptBlocks',
  title: 'prompt block',
  declare: (manifest) =>
    manifest.capabilities.promptBlocks.map((declared) => ({
      kind: 'promptBlock',
      name: declared.name,
      declared,
      requires: declared.requires,
      files: declared.file === undefined ? [] : [declared.file],
      handlers:
        declared.file === undefined
          ? [{ path: ['promptBlocks', declared.name], optional: false, check: mustBeFunction }]
          : [],
      claims: [`promptBlock:${declared.name}`],
    })),
  install(contribution) {
    const { declared, plugin, code } = contribution
    const { name, file } = declared
    return [
      {
        name,
        plugin,
        priority: declared.priority,
        placement: declared.placement,
        render:
          file !== undefined
            ? dataFile(contribution, `prompt block ${name}`, file)
            : () =>
                code.run(
                  `prompt block ${name}`,
                  async (entry) => {
                    const text = await invoke(entry, ['promptBlocks', name], { args: [] })
                    if (typeof text !== 'string') throw new TypeError(`answered ${typeof text}, not a string`)
                    return text
                  },
                  { deadlineMs: RENDER_DEADLINE_MS },
                ),
      },
    ]
  },
  trial: (installed) => installed.render(),
  combine: byPriority,
}
