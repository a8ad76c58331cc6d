import type { StatusSnapshot, StatusText, StatusTone } from '../../sdk/index.ts'
import type { Outcome } from '../base/outcome.ts'
import { invoke, mustBeFunction } from './handler.ts'
import { byPriority, type KindDefinition } from './kind.ts'
import { quietStatus } from './quiet-status.ts'

const TONES: readonly string[] = [
  'dim',
  'good',
  'warn',
  'crit',
  'accent',
  'banner',
] satisfies readonly StatusTone[]

/** Status segments: pure reads; one that throws or answers nonsense shows nothing that frame (STA-3). */
export const statusSegment: KindDefinition<'statusSegment'> = {
  field: 'statusSegments',
  title: 'status segment',
  declare: (manifest) =>
    manifest.capabilities.statusSegments.map((declared) => ({
      kind: 'statusSegment',
      name: declared.name,
      declared,
      requires: declared.requires,
      files: [],
      handlers: [{ path: ['statusSegments', declared.name], optional: false, check: mustBeFunction }],
      claims: [`statusSegment:${declared.name}`],
    })),
  install({ declared, plugin, code }) {
    const { name } = declared
    const draw = (snapshot: StatusSnapshot): Outcome<StatusText> | undefined =>
      code.render(`status segment ${name}`, (entry) => {
        const answer = invoke(entry, ['statusSegments', name], { args: [snapshot] })
        if (!isStatusText(answer)) throw new TypeError('answered no {text, tone}')
        return { text: answer.text, tone: answer.tone }
      })
    return [
      {
        name,
        plugin,
        priority: declared.priority,
        dropPriority: declared.dropPriority,
        edge: declared.edge,
        draw,
        render(snapshot) {
          const outcome = draw(snapshot)
          return outcome?.kind === 'value' && outcome.value.text !== '' ? outcome.value : undefined
        },
      },
    ]
  },
  trial: async (installed) =>
    installed.draw(quietStatus({ model: 'model', now: 0 })) ?? { kind: 'value', value: undefined },
  combine: byPriority,
}

function isStatusText(value: unknown): value is StatusText {
  return (
    typeof value === 'object' &&
    value !== null &&
    'text' in value &&
    typeof value.text === 'string' &&
    'tone' in value &&
    typeof value.tone === 'string' &&
    TONES.includes(value.tone)
  )
}
