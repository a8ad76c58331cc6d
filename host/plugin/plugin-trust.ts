import type { Diagnostic } from '../../manifests/diagnostic.ts'
import type { PluginTrust } from '../workspace/plugin-trust.ts'
import type { Bundle } from './activation.ts'
import { type LivePlugin, manifestFileOf } from './live-plugin.ts'

/** The code of the finding that a plugin is not trusted. */
export const UNTRUSTED = 'AMB3007'

/** Who is asked before a workspace's plugin is used (SAFE-4); without one every plugin may be. */
export interface TrustDeps {
  readonly trust?: PluginTrust
}

/** Why a plugin may not be used as it is now; undefined when it may. Only those of a workspace need trust. */
export async function trustProblem(deps: TrustDeps, plugin: LivePlugin): Promise<Diagnostic | undefined> {
  if (plugin.source !== 'workspace' || deps.trust === undefined) return undefined
  const why = await deps.trust.refusal(plugin.folder)
  return why === undefined ? undefined : untrusted(plugin, why)
}

/** The same for the bytes of a bundle that is about to run. */
export async function bundleTrustProblem(
  deps: TrustDeps,
  plugin: LivePlugin,
  bundle: Bundle,
): Promise<Diagnostic | undefined> {
  if (plugin.source !== 'workspace' || deps.trust === undefined) return undefined
  const why = await deps.trust.refusalOfCode(plugin.folder, bundle.inputs)
  return why === undefined ? undefined : untrusted(plugin, why)
}

function untrusted(plugin: LivePlugin, why: string): Diagnostic {
  return {
    severity: 'error',
    code: UNTRUSTED,
    file: manifestFileOf(plugin),
    line: 1,
    column: 1,
    path: '',
    message: `plugin ${plugin.id} of the workspace is not used: ${why}`,
    hint: 'amber trust add',
  }
}
