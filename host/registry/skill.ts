import { dataFile } from './data-file.ts'
import { invoke, mustBeFunction } from './handler.ts'
import { byName, type KindDefinition, RENDER_DEADLINE_MS } from './kind.ts'

/** Skills: a SKILL.md that the plugin ships, or one that its code generates (SKL-1). */
export const skill: KindDefinition<'skill'> = {
  field: 'skills',
  title: 'skill',
  declare: (manifest) =>
    manifest.capabilities.skills.map((declared) => ({
      kind: 'skill',
      name: declared.name,
      declared,
      requires: declared.requires,
      files: declared.file === undefined ? [] : [declared.file],
      handlers:
        declared.file === undefined
          ? [{ path: ['skills', declared.name], optional: false, check: mustBeFunction }]
          : [],
      claims: [`skill:${declared.name}`],
    })),
  install(contribution) {
    const { declared, plugin, code } = contribution
    const { name, file } = declared
    return [
      {
        name,
        plugin,
        description: declared.description,
        read:
          file !== undefined
            ? dataFile(contribution, `skill ${name}`, file)
            : () =>
                code.run(
                  `skill ${name}`,
                  async (entry) => {
                    const text = await invoke(entry, ['skills', name], { args: [] })
                    if (typeof text !== 'string') throw new TypeError(`answered ${typeof text}, not a string`)
                    return text
                  },
                  { deadlineMs: RENDER_DEADLINE_MS },
                ),
      },
    ]
  },
  trial: (installed) => installed.read(),
  combine: (installed) => byName(installed, (one) => one.name),
}
