const KEY = 'amber-token'

/** Takes the token out of the address, so that it stands in no history, and keeps it for this tab alone. */
export function takeToken(): string | undefined {
  const given = /^#token=([A-Za-z0-9_-]+)$/.exec(location.hash)?.[1]
  if (given !== undefined) {
    sessionStorage.setItem(KEY, given)
    history.replaceState(null, '', '#/ledger')
  }
  return sessionStorage.getItem(KEY) ?? undefined
}
