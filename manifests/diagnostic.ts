/** One finding about a file that somebody wrote: what, where and what to do (contract MAN-1). Lines and columns from 1. */
export interface Diagnostic {
  readonly severity: 'error' | 'warning'
  /** A stable code, `AMB` and four digits: 1xxx reading, 2xxx manifest, 3xxx build and load, 4xxx run time. */
  readonly code: string
  /** Absolute path. */
  readonly file: string
  readonly line: number
  readonly column: number
  /** Where in the data: `capabilities.tools[0].name`; empty where that makes no sense. */
  readonly path: string
  readonly message: string
  readonly hint?: string
  /** How many columns the finding covers, for the underline; 1 when absent. */
  readonly length?: number
}

/** Whether any of them is an error. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((one) => one.severity === 'error')
}

/** The same diagnostics in the order of their places, as a reader goes through the file. */
export function inTextOrder(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return [...diagnostics].sort((a, b) => a.line - b.line || a.column - b.column)
}
