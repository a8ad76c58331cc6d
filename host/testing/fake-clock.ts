import type { Clock } from '../base/clock.ts'

/** A clock that moves only when a test says so. */
export interface FakeClock extends Clock {
  /** Moves time on and runs what falls due, in order. */
  advance(ms: number): void
  /** Timers that still wait. */
  pending(): number
}

interface Timer {
  at: number
  readonly every: number | undefined
  readonly run: () => void
}

/** Makes a clock that stands at `start` milliseconds. */
export function createFakeClock(start = 0): FakeClock {
  let time = start
  const timers = new Set<Timer>()
  const add = (ms: number, run: () => void, every?: number) => {
    const timer: Timer = { at: time + ms, run, every }
    timers.add(timer)
    return () => {
      timers.delete(timer)
    }
  }
  const nextDue = (until: number) =>
    [...timers].filter((timer) => timer.at <= until).sort((left, right) => left.at - right.at)[0]
  return {
    now: () => time,
    monotonic: () => time,
    after: (ms, run) => add(ms, run),
    every: (ms, run) => add(ms, run, ms),
    pending: () => timers.size,
    advance(ms) {
      const until = time + ms
      for (let timer = nextDue(until); timer; timer = nextDue(until)) {
        time = timer.at
        if (timer.every === undefined) timers.delete(timer)
        else timer.at += timer.every
        timer.run()
      }
      time = until
    },
  }
}
