import { AmberError } from '../base/errors.ts'
import type { StandardInput } from './io.ts'
import type { InputReading, InputText } from './read-input.ts'

/** How long a producer may take to say its first byte, in milliseconds. */
const FIRST_BYTE_MS = {
  /** Another program of a shell pipeline: it may have to start first. */
  pipe: 1_000,
  /** How programs start programs: most never write to it, nor close it. */
  socket: 200,
} as const
const ONLY_SOURCE_MS = 5_000
const WAIT_FOR_EVER_MS = 2 ** 31 - 1
const IDLE_MS = 10_000

/** The prompt's parts: its words, and whether `-` asks to wait for standard input to its end. */
interface Words {
  readonly text: string
  readonly dash: boolean
}

function wordsOf(args: readonly string[]): Words {
  return {
    text: args
      .filter((word) => word !== '-')
      .join(' ')
      .trim(),
    dash: args.includes('-'),
  }
}

/** Whether there can be a prompt at all: known before anything is started. */
export function canHavePrompt(args: readonly string[], input: StandardInput): boolean {
  return wordsOf(args).text !== '' || (input.kind !== 'terminal' && input.kind !== 'none')
}

/** The usage error of a run with nothing to ask. */
export function noPrompt(): AmberError {
  return new AmberError('usage', 'There is no prompt.', 'Write one: amber run "what is in this folder?"')
}

/** A prompt, and what was appended to it from standard input. */
export interface PromptParts {
  /** What the user asks; files may be named in it. */
  readonly text: string
  /** `''` when there is none. */
  readonly context: string
}

/**
 * The prompt of a run: from the arguments, from standard input, or both; then the input is appended as context
 * (interfaces 2). Rejects with a usage error when there is none. `-` among the arguments waits for the input's end.
 */
export async function promptText(
  args: readonly string[],
  source: {
    readonly input: StandardInput
    readonly reading: InputReading
    readonly notice: (text: string) => void
  },
): Promise<PromptParts> {
  const { text, dash } = wordsOf(args)
  const { kind } = source.input
  const read = await source.reading.finish({
    firstMs: kind === 'file' || dash ? WAIT_FOR_EVER_MS : text === '' ? ONLY_SOURCE_MS : grace(kind),
    idleMs: kind === 'file' || dash ? WAIT_FOR_EVER_MS : IDLE_MS,
  })
  const notice = noticeOf(read, kind, text !== '')
  if (notice !== undefined) source.notice(notice)
  if (text === '' && read.isBinary) throw new AmberError('usage', BINARY, NAME_IT)
  if (text === '' && read.text === '') throw noPrompt()
  if (read.text === '') return { text, context: '' }
  if (text === '') return { text: read.text.trim(), context: '' }
  return { text, context: `\n\n<stdin>\n${read.text.trimEnd()}\n</stdin>` }
}

function grace(kind: StandardInput['kind']): number {
  return kind === 'socket' ? FIRST_BYTE_MS.socket : FIRST_BYTE_MS.pipe
}

const BINARY = 'Standard input is no text, so it was left out.'
const NAME_IT =
  'A picture goes to the model when the prompt names its file: amber run "what is in @shot.png?"'

function noticeOf(
  { end, isBinary }: InputText,
  kind: StandardInput['kind'],
  hasWords: boolean,
): string | undefined {
  const wait = 'Write - after the prompt to wait for its end.'
  if (isBinary && hasWords) return `${BINARY} ${NAME_IT}`
  if (end === 'full') return 'Standard input is larger than 8 MiB; the rest was not read.'
  if (end === 'idle') return `Standard input went quiet; what had come by then is used. ${wait}`
  if (end === 'silent' && hasWords && kind === 'pipe') return `Standard input said nothing. ${wait}`
  return undefined
}
