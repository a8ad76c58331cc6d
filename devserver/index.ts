import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type ConductDeps, watchConduct } from './conduct.ts'
import { createPluginWatch, type PluginWatch, type PluginWatchDeps } from './plugin-watch.ts'
import type { WatchedFolder } from './watched-folder.ts'

export { type DevServer, type DevServerOptions, startDevServer } from './dev-server.ts'
export { findFolders } from './find-folders.ts'
export { type DevEvent, diagnosticLine } from './protocol.ts'
export { createReport } from './report.ts'

/**
 * Watches the plugins of a running app in its own process (`--dev`): the user's, those of the workspace that the host
 * has taken in, and the folders of `--plugin`. Resolves when it watches.
 */
export async function watchPlugins(
  deps: PluginWatchDeps & ConductDeps,
  options: { readonly given: readonly string[] },
): Promise<Pick<PluginWatch, 'idle' | 'close'>> {
  const { paths } = deps.app
  const parents: readonly WatchedFolder[] = [
    { folder: join(paths.config, 'plugins'), source: 'user', isParent: true, takesNew: true },
    // A plugin that comes with a workspace waits for the user's trust (SAFE-4).
    {
      folder: join(paths.workspace, '.amber', 'plugins'),
      source: 'workspace',
      isParent: true,
      takesNew: false,
    },
  ]
  const given = options.given.map(
    (folder): WatchedFolder => ({ folder, source: 'flag', isParent: false, takesNew: true }),
  )
  // What is installed is nobody's work in progress: types are written where there is a project to check them.
  const isTyped = ({ path }: { readonly path: string }) => existsSync(join(path, 'tsconfig.json'))
  const watch = createPluginWatch({ ...deps, isTyped })
  for (const folder of [...given, ...parents]) await watch.add(folder, { fresh: false })
  const types = watch.keepTypes()
  const undo = watchConduct(deps)
  return {
    async idle() {
      await types
      await watch.idle()
    },
    async close() {
      for (const one of undo) one()
      await watch.close()
      await types
    },
  }
}
