import { spawnSync } from 'node:child_process'

/** Middle and upper end of a series, in the unit of its values. */
export interface Series {
  readonly p50: number
  readonly p95: number
  readonly count: number
}

/** Sums a series up. */
export function summarise(values: readonly number[]): Series {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { p50: at(0.5), p95: at(0.95), count: sorted.length }
}

/** One command to be timed. */
export interface TimedCommand {
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** Times commands of this Node.js from start to exit, in turns, and gives a series of milliseconds for each. */
export function timeInTurns(commands: readonly TimedCommand[], rounds: number): readonly Series[] {
  const times: number[][] = commands.map(() => [])
  for (let round = -1; round < rounds; round += 1) {
    commands.forEach(({ args, env }, index) => {
      const started = performance.now()
      const result = spawnSync(process.execPath, args, {
        env: plainEnvironment(env),
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const took = performance.now() - started
      if (result.status !== 0) throw new Error(`${args.join(' ')} failed: ${result.stderr}`)
      // The first round only warms the disk.
      if (round >= 0) times[index]?.push(took)
    })
  }
  return times.map(summarise)
}

/** An environment in which nothing but the subject costs time: extra certificates alone add 38 ms to any start. */
export function plainEnvironment(extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const { PATH, HOME } = process.env
  return { ...(PATH ? { PATH } : {}), ...(HOME ? { HOME } : {}), ...extra }
}

/** Prints one result with its target. */
export function report(
  what: string,
  value: string,
  target?: { readonly text: string; readonly met: boolean },
): void {
  const verdict = target ? `   target ${target.text}: ${target.met ? 'met' : 'MISSED'}` : ''
  process.stdout.write(`  ${what.padEnd(44)} ${value}${verdict}\n`)
}

/** Milliseconds for reading. */
export function ms(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : 1)} ms`
}
