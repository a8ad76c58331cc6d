/** The host's events (contract EVT-2). Everything in them is plain data. */
export interface HostEvents {
  'turn.started': { readonly turn: string; readonly prompt: string }
  'turn.ended': {
    readonly turn: string
    readonly reason: string
    readonly durationMs: number
    readonly toolCalls: number
  }
  'message.added': { readonly role: 'user' | 'assistant' | 'tool'; readonly text: string }
  'tool.requested': {
    readonly id: string
    readonly name: string
    readonly plugin: string | undefined
    readonly arguments: unknown
  }
  'tool.completed': {
    readonly id: string
    readonly name: string
    readonly plugin: string | undefined
    readonly ok: boolean
    readonly durationMs: number
  }
  'llm.response': {
    readonly provider: string
    readonly model: string
    readonly finishReason: string
    readonly inputTokens: number | undefined
    readonly outputTokens: number | undefined
    readonly durationMs: number
  }
  'compression.started': { readonly messages: number }
  'compression.completed': { readonly messages: number; readonly kept: boolean; readonly reason?: string }
  'error.raised': { readonly kind: string; readonly message: string; readonly hint: string }
  'plugin.loaded': { readonly plugin: string; readonly generation: number }
  'plugin.unloaded': { readonly plugin: string; readonly generation: number }
  'plugin.swapped': { readonly plugin: string; readonly generation: number }
}

/** A host event's name. */
export type EventName = keyof HostEvents

/** What an interceptor of an interceptable event may answer: false and `cancel` veto (EVT-3); the rest changes it. */
export interface InterceptedEvents {
  'turn.started': { readonly prompt?: string; readonly cancel?: boolean | string }
  'tool.requested': { readonly arguments?: unknown; readonly cancel?: boolean | string }
}

/**
 * A handler of one event. On `turn.started` and `tool.requested` its answer can change or veto (EVT-2, EVT-3):
 * those that answer something are interceptors and run, in order, before anything else happens.
 */
export type EventHandler<Name extends EventName> = Name extends keyof InterceptedEvents
  ? (
      event: HostEvents[Name],
    ) => InterceptedEvents[Name] | false | void | Promise<InterceptedEvents[Name] | false | void>
  : (event: HostEvents[Name]) => void | Promise<void>

/** Handlers by event name. */
export type EventHandlers = { readonly [Name in EventName]?: EventHandler<Name> }
