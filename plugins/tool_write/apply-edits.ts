import { lineEndFor, viewWithLf, withLineEnd } from './line-ends.ts'
import { describeNearMiss } from './near-miss.ts'

/** One replacement, as the model asks for it. */
export interface Edit {
  readonly old: string
  readonly new: string
  readonly all?: boolean
}

/** The text after all edits, or why one of them does not fit; then nothing is changed. */
export type Edited =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly error: string }

/** How many places an error lists. */
const MOST_PLACES = 20

/** Makes the edits in order, each on the result of those before it. `file` is undefined when there is none. */
export function applyEdits(file: string | undefined, edits: readonly Edit[]): Edited {
  let text = file
  for (const [index, edit] of edits.entries()) {
    const which = edits.length > 1 ? `Edit ${index + 1} of ${edits.length}: ` : ''
    const edited = applyEdit(text, edit)
    if (!edited.ok) return { ok: false, error: `${which}${edited.error} Nothing was written.` }
    text = edited.text
  }
  return { ok: true, text: text ?? '' }
}

function applyEdit(text: string | undefined, edit: Edit): Edited {
  // The whole file, byte for byte as given: no line end is added or changed (row E14).
  if (edit.old === '') return { ok: true, text: edit.new }
  if (text === undefined)
    return failed('the file does not exist, so there is no text to replace. Use old: "" to create it.')
  if (text === '') return failed('the file is empty, so there is no text to replace. Use old: "" to fill it.')
  if (edit.old === edit.new) return failed('old and new are the same text.')
  const view = viewWithLf(text)
  const wanted = edit.old.replaceAll('\r\n', '\n')
  const places = placesOf(view.text, wanted)
  if (places.length === 0) return failed(describeNearMiss(view.text, wanted))
  if (places.length > 1 && !edit.all) return failed(ambiguous(view.text, places))
  return {
    ok: true,
    text: replaceAt(
      text,
      edit.new,
      places.map((at) => [view.original(at), view.original(at + wanted.length)]),
    ),
  }
}

/** Where a text stands in another, without overlap. */
function placesOf(text: string, wanted: string): readonly number[] {
  const places: number[] = []
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length))
    places.push(at)
  return places
}

function replaceAt(text: string, replacement: string, spans: readonly (readonly [number, number])[]): string {
  const pieces: string[] = []
  let from = 0
  for (const [start, end] of spans) {
    pieces.push(text.slice(from, start), withLineEnd(replacement, lineEndFor(text, text.slice(start, end))))
    from = end
  }
  pieces.push(text.slice(from))
  return pieces.join('')
}

function ambiguous(text: string, places: readonly number[]): string {
  const lines = places.slice(0, MOST_PLACES).map((at) => text.slice(0, at).split('\n').length)
  const more = places.length > MOST_PLACES ? ' and more' : ''
  return `old occurs ${places.length} times, in lines ${lines.join(', ')}${more}. Take more of the lines around the one that you mean, or say all: true.`
}

function failed(error: string): Edited {
  return { ok: false, error }
}
