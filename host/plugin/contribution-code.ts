import type { Outcome } from '../base/outcome.ts'
import type { PluginCode } from '../registry/contribution.ts'
import type { Activation } from './activation.ts'
import { diagnose } from './guard.ts'

/** The activation that answers for a version now; a hand-over may put another in its place. */
export interface CodeRef {
  current: Activation
  /** Names the code: equal keys are equal code (SWAP-5). */
  readonly key: string
}

/** What happens around the calls of one contribution. */
export interface ContributionWatch {
  /** Its code declined at a call (LED-3). */
  declined(why: string): void
  /** Five faults in a row (LED-10). */
  parked(reason: string): void
}

/** Faults in a row after which a contribution is parked (LED-10). */
const FAULTS_UNTIL_PARKED = 5

/** The door of one contribution to its plugin's code: counts its faults, and stays shut once it is parked. */
export function createContributionCode(ref: CodeRef, what: string, watch: ContributionWatch): PluginCode {
  // By what was called: a summary that works says nothing about an execution that throws.
  const faults = new Map<string, number>()
  let isParked = false
  const reason = `parked after ${FAULTS_UNTIL_PARKED} faults in a row`

  const count = <Value>(label: string, outcome: Outcome<Value>): Outcome<Value> => {
    if (outcome.kind === 'declined') watch.declined(outcome.why)
    if (outcome.kind !== 'fault') faults.delete(label)
    else if (outcome.fault.reason !== 'cancelled' && outcome.fault.reason !== 'retired') {
      const inARow = (faults.get(label) ?? 0) + 1
      faults.set(label, inARow)
      if (inARow >= FAULTS_UNTIL_PARKED && !isParked) {
        isParked = true
        watch.parked(`${reason}; the last: ${outcome.fault.diagnostic.message}`)
      }
    }
    return outcome
  }
  const refuse = (label: string): Outcome<never> => {
    const { owner } = ref.current.request
    const hint = `mend it and save, or run \`amber plugin reload ${owner.plugin}\``
    const diagnostic = diagnose(owner, `plugin ${owner.plugin}: ${what} is ${reason}`, hint)
    return { kind: 'fault', fault: { plugin: owner.plugin, label, reason: 'unavailable', diagnostic } }
  }

  return {
    async run(label, use, options) {
      if (isParked) return refuse(label)
      return count(label, await ref.current.run(label, use, options))
    },
    render(label, use) {
      if (isParked) return undefined
      const outcome = ref.current.render(label, use)
      return outcome && count(label, outcome)
    },
  }
}
