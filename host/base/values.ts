/** Whether a value can be awaited. */
export function isPromise(value: unknown): value is Promise<unknown> {
  try {
    return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
  } catch {
    // A getter of somebody's own threw: what cannot be asked cannot be awaited.
    return false
  }
}
