import { execFile } from 'node:child_process'
import type { Environment } from './environment.ts'

/** What to say to git, as configuration, and what it says itself that nothing can take back. */
export interface GitNeutral {
  readonly config: readonly (readonly [key: string, value: string])[]
  /** The repository's files are somewhere else than it stands: what git reads lies outside. */
  readonly isElsewhere: boolean
  /** It sets filters of its own: what is stored without them is not what is meant. */
  readonly hasFilters: boolean
}

/** Programs that a repository's configuration may name, each replaced by one that does nothing (SAFE-3). */
const STATIC: readonly (readonly [key: string, value: string])[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.pager', 'cat'],
  ['core.sshCommand', 'false'],
  ['core.askPass', 'false'],
  ['core.editor', 'false'],
  ['credential.helper', ''],
  ['log.showSignature', 'false'],
  ['gpg.program', 'false'],
  ['gpg.openpgp.program', 'false'],
  ['gpg.x509.program', 'false'],
  ['gpg.ssh.program', 'false'],
  ['diff.submodule', 'short'],
  ['status.submoduleSummary', 'false'],
  ['submodule.recurse', 'false'],
  // A bare repository among the files of a clone has a configuration that nobody looked at.
  ['safe.bareRepository', 'explicit'],
]

const FILTER = /^filter\.(.+)\.(clean|smudge|process|required)$/is
const TIMEOUT_MS = 5_000

/** Reads which filters the repositories of these folders name: their names are free, so each must be switched off. */
export async function neutralGit(folders: Iterable<string>, env: Environment): Promise<GitNeutral> {
  const keys = (await Promise.all([...new Set(folders)].map((folder) => localKeys(folder, env)))).flat()
  const filters = new Map<string, string>()
  for (const key of keys) {
    const [, name, what] = FILTER.exec(key) ?? []
    if (name !== undefined)
      filters.set(`filter.${name}.${what}`, what?.toLowerCase() === 'required' ? 'false' : '')
  }
  return {
    config: [...STATIC, ...filters],
    isElsewhere: keys.some((key) => key.toLowerCase() === 'core.worktree'),
    hasFilters: filters.size > 0,
  }
}

/** The keys that a repository itself sets; none where there is no repository, or no git. */
function localKeys(folder: string, env: Environment): Promise<readonly string[]> {
  return new Promise((resolve) => {
    execFile(
      'git',
      ['config', '--list', '--show-scope', '--name-only', '-z', '--includes'],
      { cwd: folder, env: { ...env }, timeout: TIMEOUT_MS, maxBuffer: 4 * 1024 * 1024 },
      (_error, output) => {
        const fields = output.split('\0')
        const keys: string[] = []
        for (let at = 0; at + 1 < fields.length; at += 2) {
          const scope = fields[at]
          if (scope === 'local' || scope === 'worktree') keys.push(fields[at + 1] ?? '')
        }
        resolve(keys)
      },
    )
  })
}
