import type { ToolResult } from 'amber-agent/sdk'
import { recordOf, recordsIn } from './inventory.ts'

/** What a server answered to a call, as a tool's result: text for the model, and a line for what is no text. */
export function callResult(answer: unknown): ToolResult {
  const { content, structuredContent, isError } = recordOf(answer)
  const shown = contentText(content)
  const text = shown !== '' || structuredContent === undefined ? shown : JSON.stringify(structuredContent)
  if (isError === true)
    return { ok: false, error: text || 'The server says that the call failed, and not why.' }
  return { ok: true, output: text || '(the server answered nothing)' }
}

/** Pieces of content, one after the other. */
export function contentText(content: unknown): string {
  return recordsIn(content).map(pieceText).filter(Boolean).join('\n')
}

function pieceText(piece: Readonly<Record<string, unknown>>): string {
  if (piece.type === 'text') return typeof piece.text === 'string' ? piece.text : ''
  if (piece.type === 'resource') return resourceText(recordOf(piece.resource))
  if (piece.type === 'resource_link') return `[resource ${String(piece.name ?? '')}: ${String(piece.uri)}]`
  return dataLine(piece, piece.data)
}

/** The contents of a resource. */
export function resourceText(resource: Readonly<Record<string, unknown>>): string {
  const head = `[resource ${String(resource.uri)}]`
  return typeof resource.text === 'string'
    ? `${head}\n${resource.text}`
    : dataLine({ ...resource, type: head }, resource.blob)
}

/** Bytes in base64 are no text; the model is told that they are there. */
function dataLine(piece: Readonly<Record<string, unknown>>, data: unknown): string {
  const size = typeof data === 'string' ? `, ${Math.floor((data.length * 3) / 4)} bytes` : ''
  return `[${String(piece.type)} ${String(piece.mimeType ?? '')}${size}: not shown]`
}
