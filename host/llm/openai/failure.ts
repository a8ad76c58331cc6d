import { type JsonRecord, numberOf, recordOf, type WireEvent, type WireFailure } from '../../../sdk/index.ts'

/**
 * The error that an event or a body carries instead of an answer, or beside its end (S14, S16): `{"error": …}`, an
 * `error` event with or without data, or the flat `{"object": "error", …}`. Undefined when there is none.
 */
export function readFailure(event: WireEvent, body: JsonRecord | undefined): WireFailure | undefined {
  if (body === undefined) return event.event === 'error' ? { body: event.data } : undefined
  const error = body.error
  const carries = error !== undefined && error !== null && error !== false && error !== ''
  const flat = body.object === 'error' || body.type === 'error'
  if (!carries && !flat && event.event !== 'error') return undefined
  const status = statusOf(recordOf(error) ?? body)
  return { body: event.data, ...(status === undefined ? {} : { status }) }
}

function statusOf(error: JsonRecord): number | undefined {
  const named = [error.status_code, error.code, error.status]
  return named.map((value) => numberOf(value)).find((value) => value !== undefined && isStatus(value))
}

function isStatus(value: number): boolean {
  return value >= 400 && value <= 599
}
