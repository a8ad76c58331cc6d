/** One content block of a message, as the API takes it. */
export type WireBlock = Readonly<Record<string, unknown>>

/** One message of the Messages API; neighbours have different roles. */
export interface WireMessage {
  readonly role: 'user' | 'assistant'
  readonly content: readonly WireBlock[]
}
