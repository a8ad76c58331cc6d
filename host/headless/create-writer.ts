import { createJsonWriter } from './json.ts'
import type { Outputs } from './output.ts'
import { createStreamJsonWriter } from './stream-json.ts'
import { createTextWriter } from './text.ts'
import type { HeadlessWriter, OutputForm } from './writer.ts'

const WRITERS: Readonly<Record<OutputForm, (outputs: Outputs) => HeadlessWriter>> = {
  text: createTextWriter,
  json: createJsonWriter,
  'stream-json': createStreamJsonWriter,
}

/** Makes the writer of an output form. */
export function createWriter(form: OutputForm, outputs: Outputs): HeadlessWriter {
  return WRITERS[form](outputs)
}
