import type { ServiceName } from '../../sdk/index.ts'
import type { Outcome } from '../base/outcome.ts'
import type { Contribution, Kind } from './contribution.ts'
import { dataFile } from './data-file.ts'
import { invoke, mustBeFunction } from './handler.ts'
import { type Capability, RENDER_DEADLINE_MS } from './kind.ts'

/** What a manifest says of a text: the file that it stands in, or nothing, and then code writes it. */
interface DeclaredText {
  readonly name: string
  readonly file?: string | undefined
  readonly requires: readonly ServiceName[]
}

/** What a text declares beside its kind. */
export function declareText(
  field: 'promptBlocks' | 'skills',
  { name, file, requires }: DeclaredText,
): Pick<Capability<Kind>, 'name' | 'requires' | 'files' | 'handlers'> {
  return {
    name,
    requires,
    files: file === undefined ? [] : [file],
    handlers: file === undefined ? [{ path: [field, name], optional: false, check: mustBeFunction }] : [],
  }
}

/** Gives the text from its file, else from its handler; an answer that is none is a fault. */
export function textOfContribution(
  contribution: Contribution<DeclaredText>,
  field: 'promptBlocks' | 'skills',
  title: string,
): () => Promise<Outcome<string>> {
  const { name, file } = contribution.declared
  const label = `${title} ${name}`
  if (file !== undefined) return dataFile(contribution, label, file)
  return () =>
    contribution.code.run(
      label,
      async (entry) => {
        const text = await invoke(entry, [field, name], { args: [] })
        if (typeof text !== 'string') throw new TypeError(`answered ${typeof text}, not a string`)
        return text
      },
      { deadlineMs: RENDER_DEADLINE_MS },
    )
}
