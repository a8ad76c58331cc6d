import { statSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import { hasErrors } from '../../manifests/diagnostic.ts'
import { allowEverything, denyEverything } from '../agent/approval.ts'
import type { AgentOptions, App } from '../app/app.ts'
import type { AppOptions } from '../app/create-app.ts'
import type { GivenSetting, RunChoice } from '../app/run-choice.ts'
import { createConfigStore } from '../base/config.ts'
import { AmberError } from '../base/errors.ts'
import { didYouMean } from '../base/nearest.ts'
import { type AmberPaths, readPaths } from '../base/paths.ts'
import { NOT_GIVEN } from '../plugin/discover.ts'
import type { CliContext } from './context.ts'
import type { OnNotice } from './dev-mode.ts'

/** Where this run keeps things and works, by options and environment. */
export function pathsOf({ io, installation, global }: CliContext): AmberPaths {
  const { workspace } = global
  const place = { installation: installation.folder, cwd: io.cwd }
  return readPaths(io.env, { ...place, ...(workspace === undefined ? {} : { workspace }) })
}

/**
 * Opens amber as the options say. Rejects with an AmberError of code `configuration` when the workspace is not there
 * or a plugin named by `--plugin` is not usable (exit code 3). `activate: false` loads no plugin code, for listings.
 */
export async function openApp(
  context: CliContext,
  onNotice: OnNotice,
  options: Pick<AppOptions, 'activate' | 'ui' | 'pluginClock'> = {},
): Promise<App> {
  const { io, global } = context
  const paths = pathsOf(context)
  if (!isFolder(paths.workspace)) {
    throw new AmberError(
      'configuration',
      `The workspace ${paths.workspace} is not a folder.`,
      'Name one that is with --workspace DIR.',
    )
  }
  const app = await context.createApp({
    paths,
    env: io.env,
    pluginFlags: global.plugin.map((folder) => resolve(io.cwd, folder)),
    without: global.without,
    noPlugins: !global.plugins,
    clock: context.clock,
    onNotice,
    given: givenBy(context),
    ...options,
  })
  const broken = missingFlagPlugin(app) ?? brokenFlagPlugin(app) ?? unknownWithout(app, context)
  if (broken !== undefined) {
    await app.shutdown()
    throw broken
  }
  tellFound(app, onNotice)
  if (!global.dev || options.activate === false) return app
  return (await import('./dev-mode.ts')).watchWhileRunning(app, context, onNotice)
}

/** What was told at the start is told to whoever is there: a place or a state that is not understood (interfaces 3). */
function tellFound({ found }: App, onNotice: OnNotice): void {
  for (const { severity, code, file, line, column, message, hint } of found) {
    const isAboutPlace = code === 'AMB3005' || file.includes(`${sep}plugin-state${sep}`)
    if (severity !== 'error' || !isAboutPlace) continue
    onNotice(`${file}:${line}:${column} ${message}${hint ? `\n${hint}` : ''}`)
  }
}

/** A folder that was named and is no plugin's; code `configuration`, exit code 3. */
function missingFlagPlugin({ found }: App): AmberError | undefined {
  const missing = found.find((one) => one.code === NOT_GIVEN)
  return missing && new AmberError('configuration', `--plugin: ${missing.message}.`, `${missing.hint}.`)
}

/** A name of `--without` that is nobody's: what it was to leave out would run. Exit code 1, as for any absent name. */
function unknownWithout(app: App, { global }: CliContext): AmberError | undefined {
  if (!global.plugins) return undefined
  const ids = app.plugins.list().map((one) => one.id)
  const unknown = global.without.find((id) => !ids.includes(id))
  if (unknown === undefined) return undefined
  const hint = didYouMean(unknown, ids) || 'See them all: amber plugin list'
  return new AmberError('failed', `--without: there is no plugin ${unknown}.`, hint)
}

function brokenFlagPlugin(app: App): AmberError | undefined {
  const broken = app.plugins
    .list()
    .find((plugin) => plugin.source === 'flag' && (plugin.state === 'invalid' || plugin.state === 'failed'))
  if (broken === undefined) return undefined
  const [first] = broken.diagnostics.filter((one) => one.severity === 'error')
  const where = first === undefined ? '' : ` (${first.file}:${first.line}:${first.column})`
  const what = first?.message ?? broken.reason ?? broken.state
  return new AmberError(
    'configuration',
    `The plugin in ${broken.path} cannot be used: ${what}${where}`,
    `See all that is wrong with it: amber plugin validate ${broken.path}`,
  )
}

/** All errors of plugins, for `pluginErrors` of a result. */
export function pluginErrors(app: App) {
  return app.plugins.list().flatMap((plugin) => (hasErrors(plugin.diagnostics) ? plugin.diagnostics : []))
}

/** How the agent of this run is made: flags beat the environment, the environment beats files (interfaces 2). */
export async function agentOptions(
  context: CliContext,
  options: Pick<AgentOptions, 'approver' | 'maxRequests' | 'interactive'> = {},
): Promise<AgentOptions> {
  const { io, global } = context
  const config = await createConfigStore(pathsOf(context).config, context.clock).read()
  const provider = global.provider ?? (io.env.AMBER_PROVIDER || undefined)
  const model = global.model ?? (io.env.AMBER_MODEL || undefined)
  const apiBase = global.apiBase ?? (io.env.AMBER_API_BASE || undefined)
  const isAsked = options.approver !== undefined && config.approval?.questions !== 'deny'
  const attended = options.approver === undefined || isAsked ? options.approver : denyEverything
  const approver = global.yes ? allowEverything : attended
  const maxRequests = options.maxRequests ?? config.maxTurns
  const timeoutSeconds = config.approval?.timeoutSeconds
  return {
    mode: global.mode ?? (global.yes ? 'write' : (config.mode ?? 'write')),
    session: sessionOf(context),
    interactive: options.interactive === true,
    retryPartial: global.retryPartial === true,
    ...(provider === undefined ? {} : { provider }),
    ...(model === undefined ? {} : { model }),
    ...(apiBase === undefined ? {} : { apiBase }),
    ...(approver === undefined ? {} : { approver }),
    ...(timeoutSeconds === undefined ? {} : { approvalTimeoutMs: timeoutSeconds * 1000 }),
    ...(maxRequests === undefined ? {} : { maxRequests }),
  }
}

/** What options and environment decide, by setting, with the name of who says it. */
function givenBy({ global, io }: CliContext): RunChoice {
  const settings: Record<string, GivenSetting> = {}
  const take = (key: 'provider' | 'model', flag: string | undefined, variable: string) => {
    const value = flag ?? io.env[variable]
    if (value) settings[key] = { value, source: flag === undefined ? variable : `--${key}` }
    return value || undefined
  }
  const provider = take('provider', global.provider, 'AMBER_PROVIDER')
  const model = take('model', global.model, 'AMBER_MODEL')
  const apiBase = global.apiBase ?? (io.env.AMBER_API_BASE || undefined)
  if (global.mode !== undefined) settings.mode = { value: global.mode, source: '--mode' }
  else if (global.yes) settings.mode = { value: 'write', source: '--yes' }
  return {
    settings,
    flags: {
      ...(provider === undefined ? {} : { provider }),
      ...(model === undefined ? {} : { model }),
      ...(apiBase === undefined ? {} : { apiBase }),
    },
  }
}

function sessionOf({ global }: CliContext): NonNullable<AgentOptions['session']> {
  if (!global.session) return 'none'
  if (global.resume !== undefined) return { resume: global.resume }
  return global.continue ? 'continue' : 'new'
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
