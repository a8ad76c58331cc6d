import { sanitiseText } from '../base/sanitise.ts'
import { type Outputs, writeJsonLine } from './output.ts'
import { errorLines } from './text.ts'
import type { HeadlessWriter } from './writer.ts'

/** `--output json`: exactly one object on standard output, at the end, whatever happened; notices on standard error. */
export function createJsonWriter({ out, err }: Outputs): HeadlessWriter {
  return {
    holdsText: true,
    begin() {},
    text() {},
    reasoning() {},
    toolRequested() {},
    toolCompleted() {},
    notice: (message) => err.write(`${sanitiseText(message)}\n`),
    error: (error) => err.write(`${sanitiseText(errorLines(error))}\n`),
    end: (result) => writeJsonLine(out, result),
  }
}
