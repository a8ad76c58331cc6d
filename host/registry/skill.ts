import { byName, type KindDefinition } from './kind.ts'
import { declareText, textOfContribution } from './text-contribution.ts'

/** Skills: a SKILL.md that the plugin ships, or one that its code generates (SKL-1). */
export const skill: KindDefinition<'skill'> = {
  field: 'skills',
  title: 'skill',
  declare: (manifest) =>
    manifest.capabilities.skills.map((declared) => ({
      ...declareText('skills', declared),
      kind: 'skill',
      declared,
      claims: [`skill:${declared.name}`],
    })),
  install(contribution) {
    const { declared, plugin } = contribution
    const { name, description } = declared
    return [{ name, plugin, description, read: textOfContribution(contribution, 'skills', 'skill') }]
  },
  trial: (installed) => installed.read(),
  combine: (installed) => byName(installed, (one) => one.name),
}
