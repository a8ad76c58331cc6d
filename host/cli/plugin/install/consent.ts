import { createInterface } from 'node:readline/promises'
import type { Manifest } from '../../../../manifests/manifest.ts'
import { AmberError } from '../../../base/errors.ts'
import { sanitiseLine } from '../../../base/sanitise.ts'
import { table } from '../../../base/table.ts'
import { KIND_ORDER, KINDS } from '../../../registry/kinds.ts'
import type { CliContext } from '../../context.ts'

/** What a plugin contributes, by its manifest: `[kind, name]`, in the order of installation. */
export function contributionsOf(manifest: Manifest): readonly (readonly [kind: string, name: string])[] {
  return KIND_ORDER.flatMap((kind) =>
    KINDS[kind].declare(manifest).map(({ name }): readonly [string, string] => [kind, name]),
  )
}

/** A plugin as it is shown before it is installed: what it is, where it is from, what it adds and what it may do. */
export function offerText(manifest: Manifest, from: string): string {
  const { id, name, version, description, entry } = manifest
  const added = contributionsOf(manifest).map(([kind, what]) => [`  ${kind}`, sanitiseLine(what)])
  const rights =
    entry === undefined
      ? 'It is data alone: no code of it runs.'
      : 'Its code runs inside amber with your own rights: it can read and change what you can, and use the network.'
  return [
    `${sanitiseLine(name)} (${id}) ${version}, from ${sanitiseLine(from)}`,
    sanitiseLine(description),
    '',
    added.length === 0 ? 'It adds nothing.' : `It adds:\n${table(added).trimEnd()}`,
    rights,
    '',
  ].join('\n')
}

/**
 * Asks on the terminal; `--yes` is the answer where nobody is there. Rejects with an AmberError of code `denied` when
 * there is nobody to ask (exit code 4), `failed` when the answer is no.
 */
export async function askFor(
  question: string,
  context: Pick<CliContext, 'io' | 'global'>,
  refusal: { readonly undone: string; readonly again: string },
): Promise<void> {
  const { io, global } = context
  if (global.yes) return
  if (io.terminal === undefined) {
    throw new AmberError(
      'denied',
      `${refusal.undone} There is nobody to ask.`,
      `To agree, write: ${refusal.again} --yes`,
    )
  }
  const lines = createInterface({ ...io.terminal, terminal: true })
  const closed = new Promise<string>((resolve) => {
    lines.once('close', () => resolve(''))
    lines.once('SIGINT', () => resolve(''))
  })
  try {
    const answer = await Promise.race([lines.question(`${question} [y]es, [n]o: `), closed])
    if (!/^y(es)?$/i.test(answer.trim())) throw new AmberError('failed', refusal.undone, 'You did not agree.')
  } finally {
    lines.close()
  }
}
