import type { Command } from 'commander'
import { type ListedJob, listJobs } from '../jobs/index.ts'
import { type Out, table } from './output.ts'
import { withSession } from './session.ts'

const errorCharactersShown = 100

export function jobsCommands(program: Command, out: Out): void {
  const jobs = program.command('jobs').description('Background jobs, such as fetching registers.')

  jobs
    .command('list')
    .description('List failed, running and waiting jobs with their last error.')
    .option('--failed', 'only jobs that failed and will not be retried')
    .action(async ({ failed }: { failed?: boolean }) => {
      const all = await withSession(({ world }) => listJobs(world.database))
      const listed = failed ? all.filter(job => job.state === 'failed') : all
      out.print({ json: listed, text: table(listed.map(shown)) })
    })
}

function shown({ job, task, key, state, attempts, attempts_max, next_at, last_error }: ListedJob) {
  const error = last_error?.replaceAll(/\s+/g, ' ') ?? null
  return {
    job,
    task: key ?? task,
    state,
    attempts: `${attempts} of ${attempts_max}`,
    next_at,
    last_error:
      error !== null && error.length > errorCharactersShown
        ? `${error.slice(0, errorCharactersShown)}…`
        : error,
  }
}
