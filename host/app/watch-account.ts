import type { AccountReadout } from '../llm/account-readout.ts'
import type { Accounts } from '../llm/accounts.ts'
import type { Connection } from './connector.ts'

/** One conversation's view of the account that is polled for the provider in use (WAL-1, WAL-3). */
export interface AccountWatch {
  /** A turn of this conversation ended: its provider is the one in use. */
  turnEnded(): void
  /** Undefined while another conversation's provider is in use. */
  readout(): AccountReadout | undefined
}

/** Makes this connection's provider the one in use, and again with each of its turns. */
export function watchAccount({ selected, apiBase }: Connection, accounts: Accounts): AccountWatch {
  const { provider, apiKey } = selected
  const readout = () => {
    const shown = accounts.readout()
    return shown?.provider === provider ? shown : undefined
  }
  const use = () => accounts.use({ provider, apiBase, apiKey })
  use()
  return {
    readout,
    turnEnded() {
      if (readout() === undefined) use()
      else accounts.turnEnded()
    },
  }
}
