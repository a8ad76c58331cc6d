import type { Diagnostic } from '../../../manifests/diagnostic.ts'

/** One thing that was looked at. */
export interface DoctorFinding {
  readonly severity: 'ok' | 'warning' | 'error'
  /** What was looked at: `node`, `folder`, `config`, `plugin hello`. */
  readonly check: string
  readonly message: string
  /** What to do; absent when all is well. */
  readonly remedy?: string
}

/** Something that is as it should be. */
export function fine(check: string, message: string): DoctorFinding {
  return { severity: 'ok', check, message }
}

/** A diagnostic of a file as a finding. */
export function fromDiagnostic(check: string, diagnostic: Diagnostic): DoctorFinding {
  const { severity, file, line, column, message, hint } = diagnostic
  return {
    severity,
    check,
    message: `${file}:${line}:${column} ${message}`,
    remedy: hint ?? 'Mend the file.',
  }
}
