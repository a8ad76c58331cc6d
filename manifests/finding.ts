import type { Diagnostic } from './diagnostic.ts'
import type { DiagnosticCode } from './diagnostic-codes.ts'

/** Keys and indices from the top of a document down to one value. */
export type Path = readonly (string | number)[]

/** A finding about data, before it is known where in the text that data stands. */
export interface Finding {
  readonly severity: Diagnostic['severity']
  readonly code: DiagnosticCode
  /** The value that the finding is about. */
  readonly path: Path
  /** A key of that value: then the finding points at the key itself. */
  readonly key?: string
  readonly message: string
  readonly hint?: string
}

/** An error at a path. */
export function errorAt(
  code: DiagnosticCode,
  path: Path,
  text: { readonly message: string; readonly hint?: string; readonly key?: string },
): Finding {
  return { severity: 'error', code, path, ...text }
}

const plainKey = /^[A-Za-z_$][\w$-]*$/

/** A path as people read it: `capabilities.tools[0].name`. */
export function pathText(path: Path): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`
    if (!plainKey.test(step)) return `${text}[${JSON.stringify(step)}]`
    return text === '' ? step : `${text}.${step}`
  }, '')
}

/** The path of an Ajv error's JSON pointer; array positions become numbers where the data has an array there. */
export function pathOfPointer(pointer: string, data: unknown): Path {
  const path: (string | number)[] = []
  let here = data
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    path.push(Array.isArray(here) ? Number(key) : key)
    here = childOf(here, key)
  }
  return path
}

/** The value at a path, or undefined where there is none. */
export function valueAt(data: unknown, path: Path): unknown {
  return path.reduce<unknown>((here, step) => childOf(here, step), data)
}

function childOf(value: unknown, step: string | number): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
  return Reflect.get(value, step)
}
