import { join, resolve } from 'node:path'
import type { Diagnostic } from '../../manifests/diagnostic.ts'
import { readRegularFile } from '../base/read-regular-file.ts'

const PLACED = /^(.+?)\((\d+),(\d+)\): (error|warning) (TS\d+): (.*)$/
const UNPLACED = /^(error|warning) (TS\d+): (.*)$/

/** Characters of a message or its cause. */
const MAX_TEXT = 1_000

/**
 * Reads what the TypeScript compiler says with `--pretty false`, each finding with its place and what to do. Of a
 * message's further lines the last is the cause, which comes with the remedy.
 */
export function readCompilerOutput(output: string, folder: string): readonly Diagnostic[] {
  const found: Diagnostic[] = []
  for (const line of output.split(/\r?\n/)) {
    const placed = PLACED.exec(line)
    const unplaced = UNPLACED.exec(line)
    const last = found.at(-1)
    if (placed) {
      const [, file = '', row, column, severity, code = '', message = ''] = placed
      found.push(finding({ file: resolve(folder, file), row, column, severity, code, message }))
    } else if (unplaced) {
      const [, severity, code = '', message = ''] = unplaced
      const file = join(folder, 'tsconfig.json')
      found.push(finding({ file, row: '1', column: '1', severity, code, message }))
    } else if (last && line.startsWith('  ')) {
      found[found.length - 1] = { ...last, hint: withCause(last.code, line.trim().slice(0, MAX_TEXT)) }
    }
  }
  return withLengths(found)
}

function finding(parts: {
  readonly file: string
  readonly row: string | undefined
  readonly column: string | undefined
  readonly severity: string | undefined
  readonly code: string
  readonly message: string
}): Diagnostic {
  const { file, code, message } = parts
  return {
    severity: parts.severity === 'warning' ? 'warning' : 'error',
    code,
    file,
    line: Number(parts.row),
    column: Number(parts.column),
    path: '',
    message: message.slice(0, MAX_TEXT),
    hint: remedyFor(code),
  }
}

const MISSING = 'add what is missing, or take it out of plugin.json'
const UNKNOWN = 'correct the name, or declare it in plugin.json: the types are written anew at each save'
const PERHAPS = 'check that it is there before it is used'

/** What to do, by the compiler's code (github.com/microsoft/TypeScript, diagnosticMessages.json). */
const REMEDIES: Readonly<Record<string, string>> = {
  TS1005: 'mend the syntax of this line',
  TS2304: 'correct the name, or import it',
  TS2305: 'correct the name: the module exports no such thing',
  TS2307: "correct the path, or install the package in the plugin's folder",
  TS2339: UNKNOWN,
  TS2353: UNKNOWN,
  TS2551: UNKNOWN,
  TS2561: UNKNOWN,
  TS2739: MISSING,
  TS2740: MISSING,
  TS2741: MISSING,
  TS2531: PERHAPS,
  TS2532: PERHAPS,
  TS2533: PERHAPS,
  TS18046: 'look at what it is before it is used: its type is not known',
  TS18047: PERHAPS,
  TS18048: PERHAPS,
  TS18049: PERHAPS,
  TS7006: 'say its type, or give definePlugin the generated type as its argument',
  TS7031: 'say its type, or give definePlugin the generated type as its argument',
}

const FITTING =
  'make the value fit, or declare it differently in plugin.json: the types are written anew at each save'

function remedyFor(code: string): string {
  return (Object.hasOwn(REMEDIES, code) ? REMEDIES[code] : undefined) ?? FITTING
}

function withCause(code: string, cause: string): string {
  return `${cause.replace(/\.?$/, '.')} What to do: ${remedyFor(code)}`
}

/** The compiler says where a finding begins: it is taken to reach to the end of the word or the text that stands there. */
function withLengths(found: readonly Diagnostic[]): readonly Diagnostic[] {
  const texts = new Map<string, readonly string[]>()
  return found.map((one) => {
    const lines = texts.get(one.file) ?? linesOf(one.file)
    texts.set(one.file, lines)
    const rest = (lines[one.line - 1] ?? '').slice(one.column - 1)
    const word = /^(?:[\w$]+|'[^']*'|"[^"]*"|`[^`]*`)/.exec(rest)?.[0]
    return word === undefined || word.length < 2 ? one : { ...one, length: word.length }
  })
}

function linesOf(path: string): readonly string[] {
  const file = readRegularFile(path)
  return 'bytes' in file ? file.bytes.toString('utf8').split(/\r?\n/) : []
}
