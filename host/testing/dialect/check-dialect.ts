import { AssertionError } from 'node:assert'
import type { Dialect } from '../../../sdk/index.ts'
import { brokenLaws } from './laws.ts'
import type { DialectCheckOptions, DialectRecording } from './recording.ts'
import { brokenReplay } from './replay.ts'

/**
 * Holds a dialect against everything that amber promises of one (contract PRO-7, PRO-9 to PRO-11, PRO-13): pure, no
 * throw on any input, each recording read as expected, whole, in pieces, cut and dirtied. Without a network. Throws an
 * AssertionError that tells all that is wrong, each with its clause.
 */
export function checkDialect(
  dialect: Dialect,
  recordings: Iterable<DialectRecording>,
  options: DialectCheckOptions = {},
): void {
  const config = {
    apiBase: options.apiBase ?? 'https://api.dialect.test/v1',
    apiKey: '',
    model: options.model ?? 'model-1',
  }
  const problems = [
    ...brokenLaws(dialect, config),
    ...[...recordings].flatMap((one) =>
      brokenReplay(dialect, one).map((problem) => `${one.name}: ${problem}`),
    ),
  ]
  if (problems.length === 0) return
  const heading = `the dialect ${dialect.flavor} breaks ${problems.length === 1 ? 'a promise' : `${problems.length} promises`}`
  throw new AssertionError({ message: [heading, ...problems].join('\n  '), operator: 'checkDialect' })
}
