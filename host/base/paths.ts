import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** Where amber keeps things (interfaces 3). Absolute paths. */
export interface AmberPaths {
  readonly config: string
  readonly state: string
  readonly cache: string
  /** The workspace as given; confinement resolves its real path. */
  readonly workspace: string
  /** The folder of amber's own installation: the one with package.json, plugins/ and manifests/. */
  readonly installation: string
}

/** Reads the folders from the environment: `AMBER_HOME` holds all three, else the XDG folders (interfaces 2 and 3). */
export function readPaths(
  env: Readonly<Record<string, string | undefined>>,
  options: { readonly installation: string; readonly workspace?: string; readonly cwd: string },
): AmberPaths {
  const home = env.AMBER_HOME ? resolve(options.cwd, env.AMBER_HOME) : undefined
  const xdg = (name: string, fallback: string) => join(env[name] || join(homedir(), fallback), 'amber')
  return {
    config: home ? join(home, 'config') : xdg('XDG_CONFIG_HOME', '.config'),
    state: home ? join(home, 'state') : xdg('XDG_STATE_HOME', '.local/state'),
    cache: home ? join(home, 'cache') : xdg('XDG_CACHE_HOME', '.cache'),
    workspace: resolve(options.cwd, options.workspace ?? env.AMBER_WORKSPACE ?? '.'),
    installation: options.installation,
  }
}
