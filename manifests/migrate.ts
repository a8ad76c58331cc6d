import { isRecord } from '../sdk/index.ts'
import { errorAt, type Finding } from './finding.ts'

/** Brings a manifest of one version of the language to the next, in memory; the file stays as it is (MAN-6). */
export interface Migration {
  readonly from: number
  /** What changed, one clause: the notice ends with it. */
  readonly what: string
  migrate(manifest: Readonly<Record<string, unknown>>): Record<string, unknown>
}

/** The version of the manifest language that this amber speaks. */
export const manifestVersion = 1

/** One for each older version. There is none yet: 1 is the first. */
export const migrations: readonly Migration[] = []

/** A manifest of the current version, or why it cannot be one. */
export interface Migrated {
  readonly value: unknown
  readonly findings: readonly Finding[]
}

/** Applies the migrations in turn. Data without a whole-numbered version is left to the schema's checks. */
export function migrate(data: unknown, list: readonly Migration[] = migrations): Migrated {
  if (!isRecord(data)) return { value: data, findings: [] }
  const written = data.manifestVersion
  if (typeof written !== 'number' || !Number.isInteger(written) || written === manifestVersion) {
    return { value: data, findings: [] }
  }
  if (written > manifestVersion) return refuse(data, 'newer')
  const steps = stepsFrom(written, list)
  if (steps === undefined) return refuse(data, 'older')
  const value = steps.reduce<Record<string, unknown>>(
    (manifest, step) => ({ ...step.migrate(manifest), manifestVersion: step.from + 1 }),
    data,
  )
  return { value, findings: [notice(written, steps)] }
}

function stepsFrom(version: number, list: readonly Migration[]): readonly Migration[] | undefined {
  const steps: Migration[] = []
  for (let from = version; from < manifestVersion; from++) {
    const step = list.find((one) => one.from === from)
    if (step === undefined) return undefined
    steps.push(step)
  }
  return steps
}

function refuse(data: Readonly<Record<string, unknown>>, how: 'newer' | 'older'): Migrated {
  const message = `manifestVersion ${String(data.manifestVersion)} is ${how} than the one this amber reads, ${manifestVersion}`
  const hint =
    how === 'newer'
      ? 'update amber, or ask for an older release of the plugin'
      : `write "manifestVersion": ${manifestVersion} and what it asks for`
  return { value: undefined, findings: [errorAt('AMB2204', ['manifestVersion'], { message, hint })] }
}

function notice(written: number, steps: readonly Migration[]): Finding {
  return {
    severity: 'warning',
    code: 'AMB2205',
    path: ['manifestVersion'],
    message: `manifestVersion ${written} was read as ${manifestVersion}: ${steps.map(({ what }) => what).join('; ')}`,
    hint: 'write the manifest anew to be rid of this notice; the file was not changed',
  }
}
