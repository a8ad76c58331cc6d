/** One part of a content, as the API takes it. */
export type WirePart = Readonly<Record<string, unknown>>

/** One turn of the conversation. */
export interface WireContent {
  readonly role: 'user' | 'model'
  readonly parts: readonly WirePart[]
}
