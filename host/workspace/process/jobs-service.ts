import type { JobError, JobRequest, JobState, JobsService } from '../../../sdk/index.ts'
import type { Clock } from '../../base/clock.ts'
import { childEnvironment, type Environment } from './environment.ts'
import type { Groups } from './groups.ts'
import { type Job, startJob } from './job.ts'

/** What the job service needs. */
export interface JobsServiceDeps {
  readonly clock: Clock
  readonly groups: Groups
  readonly env: Environment
  readonly keyNames: () => Promise<Iterable<string>>
  /** The real path of a folder inside the workspace, or why it may not be used. */
  readonly folder: (
    path: string,
  ) => Promise<{ readonly ok: true; readonly path: string } | { readonly ok: false; readonly error: string }>
}

/** The job service, and what a screen shows of it at any moment. */
export interface HostJobs extends JobsService {
  /** Jobs that run, and the seconds that the one nearest to its end has left. */
  running(): { readonly count: number; readonly secondsLeft: number | undefined }
  ids(): readonly string[]
}

const MOST_RUNNING = 16
/** Ended jobs whose output is still kept. */
const MOST_ENDED = 16

/** The service `jobs`: programs in the background, none of which outlives amber. */
export function createJobsService(deps: JobsServiceDeps): HostJobs {
  const jobs = new Map<string, Job>()
  let count = 0
  const find = (id: string): Job | JobError => {
    const job = jobs.get(id)
    if (job) return job
    const known = [...jobs.keys()]
    const hint = known.length > 0 ? `There are ${known.join(', ')}.` : 'None was started.'
    return { ok: false, error: `There is no job ${JSON.stringify(id)}. ${hint}` }
  }
  const running = () => [...jobs.values()].filter((job) => job.state().state === 'running')
  return {
    async start(request) {
      if (running().length >= MOST_RUNNING)
        return { ok: false, error: `${MOST_RUNNING} jobs run already. Stop one of them first.` }
      const started = await start(deps, request, `job-${count + 1}`)
      if ('error' in started) return started
      count += 1
      jobs.set(started.state().id, started)
      forgetOldest(jobs)
      return { ok: true, id: started.state().id }
    },
    async read(id, options = {}) {
      const job = find(id)
      return 'error' in job ? job : job.read(options.all === true)
    },
    async stop(id) {
      const job = find(id)
      if ('error' in job) return job
      await job.stop()
      return job.read(false)
    },
    list: async () => [...jobs.values()].map((job) => job.state()),
    running() {
      const states = running().map((job) => job.state())
      return { count: states.length, secondsLeft: shortest(states) }
    },
    ids: () => [...jobs.keys()],
  }
}

function shortest(states: readonly JobState[]): number | undefined {
  const left = states.flatMap((one) => (one.secondsLeft === undefined ? [] : [one.secondsLeft]))
  return left.length === 0 ? undefined : Math.min(...left)
}

async function start(deps: JobsServiceDeps, request: JobRequest, id: string): Promise<Job | JobError> {
  const folder = await deps.folder(request.cwd ?? '.')
  if (!folder.ok) return folder
  const env = childEnvironment(deps.env, await deps.keyNames())
  const group = deps.groups.start({ command: request.command, folder: folder.path, env })
  if (group === undefined) return { ok: false, error: 'amber is shutting down, so no job is started.' }
  return startJob({ clock: deps.clock, group }, { id, request })
}

function forgetOldest(jobs: Map<string, Job>): void {
  const ended = [...jobs].filter(([, job]) => job.state().state !== 'running')
  for (const [id] of ended.slice(0, Math.max(0, ended.length - MOST_ENDED))) jobs.delete(id)
}
