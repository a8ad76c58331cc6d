import { basename, resolve } from 'node:path'
import { sanitiseLine } from '../base/sanitise.ts'
import { EXIT } from '../headless/exit-code.ts'
import { createTrust, type TrustedFolder } from '../workspace/trust.ts'
import type { CliContext } from './context.ts'
import { pathsOf } from './open-app.ts'

/** `amber trust list`, `amber trust add [DIR]` and `amber trust remove [DIR]`. */
export type TrustOptions =
  | { readonly action: 'list'; readonly json?: boolean }
  | { readonly action: 'add' | 'remove'; readonly folder?: string }

/** Shows and changes which workspaces' plugins, skills and AGENTS.md are used (SAFE-4). Gives the exit code. */
export async function run(options: TrustOptions, context: CliContext): Promise<number> {
  const { io } = context
  const paths = pathsOf(context)
  const trust = createTrust({ state: paths.state, clock: context.clock })
  if (options.action === 'list') {
    const folders = await trust.list()
    if (options.json) io.out.write(`${JSON.stringify(folders.map(listed), null, 2)}\n`)
    else if (folders.length === 0) io.err.write('No folder is trusted.\nTrust this one: amber trust add\n')
    else for (const one of folders) io.out.write(`${sanitiseLine(describeTrust(one))}\n`)
    return EXIT.done
  }
  const folder = options.folder === undefined ? paths.workspace : resolve(io.cwd, options.folder)
  if (options.action === 'add') {
    io.out.write(`Trusted: ${sanitiseLine(describeTrust(await trust.add(folder)))}\n`)
    return EXIT.done
  }
  if (await trust.remove(folder)) {
    io.out.write(`Trusted no more: ${sanitiseLine(folder)}\n`)
    return EXIT.done
  }
  io.err.write(`${sanitiseLine(folder)} is not trusted.\nSee what is: amber trust list\n`)
  return EXIT.failed
}

function listed(one: TrustedFolder) {
  return {
    folder: one.folder,
    since: one.since,
    plugins: Object.keys(one.plugins).map((path) => basename(path)),
  }
}

/** One trusted folder on a line, with the plugins that it brings. */
export function describeTrust(one: TrustedFolder): string {
  const plugins = listed(one).plugins
  const brings =
    plugins.length === 0 ? 'skills and AGENTS.md' : `skills, AGENTS.md, plugins ${plugins.join(', ')}`
  return `${one.folder} (${brings})`
}
