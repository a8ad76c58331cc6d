import { createInterface } from 'node:readline/promises'
import { AmberError } from '../../base/errors.ts'
import type { CliContext } from '../context.ts'
import { readKinds } from './kinds.ts'
import { faultOfId } from './plugin-id.ts'

/** What a new plugin is to be. */
export interface Answers {
  readonly id: string
  readonly kinds: readonly string[]
}

/** Asks on a terminal, never otherwise; `--yes` takes what would be the default. */
export async function askWhatIsMissing(
  options: { readonly id?: string; readonly kind?: string },
  all: readonly string[],
  { io, global }: CliContext,
): Promise<Answers> {
  const terminal = global.yes ? undefined : io.terminal
  const wrong = options.id === undefined ? undefined : faultOfId(options.id)
  if (wrong !== undefined) throw wrong
  const kinds = options.kind === undefined ? undefined : readKinds(options.kind, all)
  if (options.id !== undefined && (kinds !== undefined || terminal === undefined)) {
    return { id: options.id, kinds: kinds ?? ['tool'] }
  }
  if (terminal === undefined) {
    throw new AmberError('usage', 'The plugin has no id.', 'Write one: amber new plugin weather')
  }
  const lines = createInterface({ ...terminal, terminal: true })
  const closed = new Promise<never>((_, reject) =>
    lines.once('close', () => reject(new AmberError('interrupted', 'Nothing was written.', ''))),
  )
  closed.catch(() => undefined)
  try {
    const ask = (question: string) => Promise.race([lines.question(question), closed])
    const say = (error: AmberError) => io.out.write(`${error.message} ${error.hint}\n`)
    const id = options.id ?? (await askUntil(ask, 'Id of the plugin: ', { read: readId, say }))
    const question = `What it contributes (${all.join(', ')}) [tool]: `
    const read = (text: string) => readKinds(text === '' ? 'tool' : text, all)
    return { id, kinds: kinds ?? (await askUntil(ask, question, { read, say })) }
  } finally {
    lines.close()
  }
}

async function askUntil<Value>(
  ask: (question: string) => Promise<string>,
  question: string,
  how: { readonly read: (text: string) => Value; readonly say: (error: AmberError) => void },
): Promise<Value> {
  for (;;) {
    const text = (await ask(question)).trim()
    try {
      return how.read(text)
    } catch (thrown) {
      if (!(thrown instanceof AmberError)) throw thrown
      how.say(thrown)
    }
  }
}

function readId(text: string): string {
  const wrong = faultOfId(text)
  if (wrong !== undefined) throw wrong
  return text
}
