import type { ServerResponse } from 'node:http'
import type { Clock } from '../../host/base/clock.ts'
import { writeHead } from './answer.ts'

/** All who listen to `GET /api/events`. */
export interface EventStream {
  /** Sends an event to all; `name` is its type. */
  publish(name: string, data: unknown): void
  /** Takes a response over. `lastId` is what the client has seen already: what came since follows at once. */
  attach(response: ServerResponse, lastId: number | undefined): void
  clients(): number
  close(): void
}

/** A client that is this much behind, in bytes, is dropped: it reconnects and catches up. */
const MAX_BEHIND_BYTES = 1_000_000

/** An event larger than this, in characters, is told of without its data. */
const MAX_EVENT_CHARACTERS = 256_000

/** How many events are kept for those who reconnect. */
const KEPT_EVENTS = 200

const MAX_CLIENTS = 32
const HEARTBEAT_MS = 15_000

/** Makes the stream; its heartbeat runs while somebody listens. */
export function createEventStream(clock: Clock): EventStream {
  const clients = new Set<ServerResponse>()
  let kept: { readonly id: number; readonly frame: string }[] = []
  let id = 0
  let stopHeartbeat: (() => void) | undefined

  const drop = (client: ServerResponse) => {
    clients.delete(client)
    client.destroy()
    if (clients.size > 0) return
    stopHeartbeat?.()
    stopHeartbeat = undefined
  }
  const write = (client: ServerResponse, frame: string) => {
    client.write(frame)
    if (client.writableLength > MAX_BEHIND_BYTES) drop(client)
  }
  return {
    publish(name, data) {
      id += 1
      const text = JSON.stringify(data) ?? 'null'
      const shown = text.length > MAX_EVENT_CHARACTERS ? JSON.stringify({ type: name, cut: true }) : text
      // `at`, milliseconds since 1970, is a field of our own; readers that do not know it pass over it.
      const frame = `id: ${id}\nevent: ${name}\nat: ${clock.now()}\ndata: ${shown}\n\n`
      kept.push({ id, frame })
      if (kept.length > KEPT_EVENTS) kept = kept.slice(-KEPT_EVENTS)
      for (const client of [...clients]) write(client, frame)
    },
    attach(response, lastId) {
      const [oldest] = clients
      if (clients.size >= MAX_CLIENTS && oldest) drop(oldest)
      writeHead(response, 200, { 'content-type': 'text/event-stream; charset=utf-8' })
      response.on('error', () => drop(response))
      response.on('close', () => drop(response))
      clients.add(response)
      stopHeartbeat ??= clock.every(
        HEARTBEAT_MS,
        () => {
          for (const client of [...clients]) write(client, ': still here\n\n')
        },
        { background: true },
      )
      write(response, ': amber dev\n\n')
      if (lastId === undefined) return
      for (const one of kept) if (one.id > lastId) write(response, one.frame)
    },
    clients: () => clients.size,
    close() {
      for (const client of [...clients]) {
        client.end()
        drop(client)
      }
    },
  }
}
