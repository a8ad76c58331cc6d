import type { Diagnostic } from '../../../manifests/diagnostic.ts'
import type { App } from '../../app/app.ts'
import type { Clock } from '../../base/clock.ts'
import type { PluginInfo } from '../../plugin/live-plugin.ts'

/** What the running code of plugins did wrong last, each for its own version. */
export interface PluginFaults {
  /** Of this very version; undefined when it did nothing. */
  of(plugin: PluginInfo): { readonly diagnostic: Diagnostic; readonly ago: string } | undefined
  /** Begins to listen. */
  watch(app: Pick<App, 'onDiagnostic' | 'plugins'>): () => void
}

/** Makes it; nothing is known before it listens. */
export function createPluginFaults(clock: Clock): PluginFaults {
  const last = new Map<
    string,
    { readonly diagnostic: Diagnostic; readonly generation: number; readonly at: number }
  >()
  return {
    of({ id, generation }) {
      const fault = last.get(id)
      if (fault === undefined || fault.generation !== generation) return undefined
      const seconds = Math.round((clock.monotonic() - fault.at) / 1000)
      return {
        diagnostic: fault.diagnostic,
        ago: seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`,
      }
    },
    watch: (app) =>
      app.onDiagnostic((plugin, diagnostic) => {
        if (diagnostic.severity !== 'error') return
        const generation = app.plugins.info(plugin)?.generation ?? 0
        last.set(plugin, { diagnostic, generation, at: clock.monotonic() })
      }),
  }
}
