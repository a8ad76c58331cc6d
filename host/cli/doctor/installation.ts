import { execFile } from 'node:child_process'
import { access, constants, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { messageOf, systemCode } from '../../base/errors.ts'
import type { AmberPaths } from '../../base/paths.ts'
import { type DoctorFinding, fine } from './finding.ts'

const OLDEST_NODE = [20, 19] as const
/** What watching a large workspace takes; older kernels allow 8,192. */
const ENOUGH_WATCHES = 65_536

/** Whether this Node.js is one that amber runs on. */
export function checkNode(version: string): DoctorFinding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [least, leastMinor] = OLDEST_NODE
  if (major > least || (major === least && minor >= leastMinor)) return fine('node', `Node.js ${version}`)
  return {
    severity: 'error',
    check: 'node',
    message: `Node.js ${version} is older than ${OLDEST_NODE.join('.')}`,
    remedy: 'Install a newer one from your package manager or nodejs.org.',
  }
}

/** Whether amber can write where it keeps things. */
export function checkFolders({ config, state, cache }: AmberPaths): Promise<readonly DoctorFinding[]> {
  return Promise.all(
    Object.entries({ config, state, cache }).map(async ([name, folder]): Promise<DoctorFinding> => {
      const check = `folder ${name}`
      const fault = await faultOfWriting(folder)
      if (fault === undefined) return fine(check, folder)
      return {
        severity: name === 'cache' ? 'warning' : 'error',
        check,
        message: `${folder} cannot be written: ${fault}`,
        remedy: 'Change its permissions, or set AMBER_HOME to a folder of yours.',
      }
    }),
  )
}

/** A folder that is not there yet is made at need: then the nearest one above it counts. */
async function faultOfWriting(folder: string): Promise<string | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    try {
      await access(at, constants.W_OK | constants.X_OK)
      return undefined
    } catch (thrown) {
      if (systemCode(thrown) !== 'ENOENT' || dirname(at) === at) return messageOf(thrown)
    }
  }
}

/** The programs that amber starts where they are there. */
export async function checkPrograms(installation: string): Promise<readonly DoctorFinding[]> {
  const [git, ripgrep] = await Promise.all([runs('git'), runs(bundledRipgrep(installation))])
  return [
    git
      ? fine('git', git)
      : {
          severity: 'warning',
          check: 'git',
          message:
            'git does not run: searching cannot heed .gitignore everywhere, and plugins cannot come by git:',
          remedy: 'Install git.',
        },
    ripgrep
      ? fine('ripgrep', ripgrep)
      : {
          severity: 'warning',
          check: 'ripgrep',
          message: 'the ripgrep that amber brings does not run: searching is slower',
          remedy: 'Install amber anew on this machine, so that the right binary comes along.',
        },
  ]
}

function bundledRipgrep(installation: string): string {
  try {
    const module: unknown = createRequire(join(installation, 'package.json'))('@vscode/ripgrep')
    const path: unknown = Object(module).rgPath
    return typeof path === 'string' ? path : 'rg'
  } catch {
    return 'rg'
  }
}

/** The first line of what a program says of its version; undefined when it does not run. */
function runs(program: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(program, ['--version'], { timeout: 5_000 }, (error, output) =>
      resolve(error ? undefined : output.split('\n', 1)[0]),
    )
  })
}

/** How many folders this user may watch; only Linux has such a limit. */
export async function checkWatches(platform: NodeJS.Platform): Promise<readonly DoctorFinding[]> {
  if (platform !== 'linux') return []
  const file = '/proc/sys/fs/inotify/max_user_watches'
  const limit = Number(await readFile(file, 'utf8').catch(() => Number.NaN))
  if (!Number.isFinite(limit)) return []
  if (limit >= ENOUGH_WATCHES) return [fine('inotify', `${limit} folders can be watched`)]
  return [
    {
      severity: 'warning',
      check: 'inotify',
      message: `only ${limit} folders can be watched, by all programs together`,
      remedy: 'Raise it: sudo sysctl fs.inotify.max_user_watches=524288',
    },
  ]
}
