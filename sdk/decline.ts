/** A contribution's own word that it has nothing to offer here (contract LED-3). */
export interface Declined {
  readonly amber: 'declined'
  readonly why: string
}

/**
 * Declines one contribution: put it where the handler would stand, or return it from a handler.
 * The plugin stays active, and the ledger shows the reason. Declining is not a failure (LED-3).
 */
export function decline(why: string): Declined {
  return { amber: 'declined', why }
}

/** Whether a value is what {@link decline} makes. */
export function isDeclined(value: unknown): value is Declined {
  return (
    typeof value === 'object' &&
    value !== null &&
    'amber' in value &&
    value.amber === 'declined' &&
    'why' in value &&
    typeof value.why === 'string'
  )
}
