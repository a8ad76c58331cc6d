import { createHash } from 'node:crypto'

/** The content hash that builds, inputs and manifests are compared by: 128 bits, written in 22 characters. */
export function hashOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 22)
}
