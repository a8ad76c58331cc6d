import { byPriority, type KindDefinition } from './kind.ts'
import { declareText, textOfContribution } from './text-contribution.ts'

/** Prompt blocks: a file is data, a handler renders; `''` contributes nothing (PRM-1). */
export const promptBlock: KindDefinition<'promptBlock'> = {
  field: 'promptBlocks',
  title: 'prompt block',
  declare: (manifest) =>
    manifest.capabilities.promptBlocks.map((declared) => ({
      ...declareText('promptBlocks', declared),
      kind: 'promptBlock',
      declared,
      claims: [`promptBlock:${declared.name}`],
    })),
  install(contribution) {
    const { declared, plugin } = contribution
    const { name, priority, placement } = declared
    const render = textOfContribution(contribution, 'promptBlocks', 'prompt block')
    return [{ name, plugin, priority, placement, render }]
  },
  trial: (installed) => installed.render(),
  combine: byPriority,
}
