import type { Diagnostic } from '../../manifests/diagnostic.ts'
import type { Bundle } from './activation.ts'
import { type BuildRequest, buildEntry } from './build.ts'
import { type Fingerprint, fingerprint, writtenSince } from './fingerprint.ts'

/** A bundle whose inputs' hashes are those of the bytes in it, or findings and what to watch for the mending. */
export type ConsistentBuild =
  | { readonly ok: true; readonly bundle: Bundle; readonly diagnostics: readonly Diagnostic[] }
  | { readonly ok: false; readonly inputs: Fingerprint; readonly diagnostics: readonly Diagnostic[] }

/** A file that changes during every one of this many builds is being written to without end. */
const MOST_BUILDS = 8

/**
 * Builds until no input changed while it was built: otherwise a save in mid-build would be taken for built although
 * it was not, and lost (SWAP-6). `known` are the inputs of the last build.
 */
export async function buildConsistently(
  request: BuildRequest,
  known: Iterable<string>,
): Promise<ConsistentBuild> {
  let before = fingerprint(known)
  for (let build = 1; ; build += 1) {
    const started = Date.now()
    const result = await buildEntry(request)
    const after = fingerprint(result.inputs)
    if (build < MOST_BUILDS && inDoubt(before, after, started)) {
      before = after
      continue
    }
    if (!result.ok) return { ok: false, inputs: after, diagnostics: result.diagnostics }
    return {
      ok: true,
      bundle: { code: result.code, hash: result.hash, inputs: after },
      diagnostics: result.diagnostics,
    }
  }
}

function inDoubt(before: Fingerprint, after: Fingerprint, started: number): boolean {
  for (const [path, hash] of after) {
    const earlier = before.get(path)
    if (earlier === undefined ? writtenSince(path, started) : earlier !== hash) return true
  }
  return false
}
